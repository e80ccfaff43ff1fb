export declare function startCommand(): Promise<{
  readonly url: string;
  readonly key: string;
  stop(): boolean;
}>;
