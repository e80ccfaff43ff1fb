/** What a control call answers when it can't do what was asked: `application/problem+json`. */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  /** What to do about it. */
  readonly detail: string;
  readonly [more: string]: unknown;
}

const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
} as const;

export type ControlStatus = keyof typeof TITLES;

/** A control call that was refused; nothing was changed. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: ControlStatus;
  /** More members of the problem document. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(status: ControlStatus, detail: string, more: Readonly<Record<string, unknown>> = {}) {
    super(detail);
    this.status = status;
    this.more = more;
  }

  get problem(): Problem {
    return {
      type: 'about:blank',
      title: TITLES[this.status],
      status: this.status,
      detail: this.message,
      ...this.more,
    };
  }
}
