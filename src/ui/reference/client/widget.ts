import SwaggerUI, {
  type SwaggerSystem,
  type SwaggerUi,
  type TaggedOperations,
} from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { type JsonToken, jsonTokens } from '../../layout/client/json.ts';
import type { Found } from './search.ts';

/** The operations of a document, as a person reads and tries them. */
export interface Widget {
  /** Shows these operations alone. */
  filter(found: Found): void;
  /** Opens a heading, and an operation below it. */
  open(tag: string, operation: string | undefined): void;
  /** Tries calls with this key from now on; with none if it is empty. */
  authorize(scheme: string, key: string): void;
}

interface LayoutProps {
  getComponent(name: string, container: boolean): unknown;
}

/** Immutable's. */
interface SummaryPathProps {
  readonly operationProps: { get(key: 'path'): unknown };
}

/** What came back from a call that was tried; Immutable's. */
interface LiveResponseProps {
  readonly response?: { getIn(path: readonly string[]): unknown };
}

/** Draws a document. Whoever calls gets the widget when all of it stands. */
export function drawDocument(domNode: Element, spec: object): Promise<Widget> {
  let found: Found;
  const dress = ({ React }: SwaggerSystem) => ({
    components: {
      // What is left out the page has of its own: which key, which sandbox, and what is searched for.
      BaseLayout: ({ getComponent }: LayoutProps) =>
        React.createElement(
          'div',
          { className: 'swagger-ui' },
          React.createElement(getComponent('InfoContainer', true), null),
          React.createElement(getComponent('errors', true), null),
          React.createElement('h2', { className: 'visually-hidden' }, 'Operations'),
          React.createElement(getComponent('operations', true), null),
          React.createElement(getComponent('Models', true), null),
        ),
      authorizeOperationBtn: () => null,
      // The widget puts a link there, inside of a button.
      OperationSummaryPath: ({ operationProps }: SummaryPathProps) =>
        React.createElement(
          'span',
          { className: 'opblock-summary-path' },
          // Long paths break before a slash.
          ...`${operationProps.get('path')}`
            .split(/(?=\/)/)
            .flatMap((part) => [React.createElement('wbr', null), part]),
        ),
      SyntaxHighlighter: ({ children, className, language }: Record<string, unknown>) => {
        const tokens = language === 'json' ? jsonTokens(`${children}`) : [{ text: `${children}` }];
        const parts = tokens.map(({ text, kind }: Partial<JsonToken>) =>
          kind ? React.createElement('span', { className: kind }, text) : text,
        );
        return React.createElement('pre', { className, tabIndex: 0 }, ...parts);
      },
    },
    wrapComponents: {
      // Neither has a name of its own for those who can't see what stands beside it.
      JsonSchema_string: (Field: unknown) => (props: { readonly description?: string }) =>
        React.createElement(
          'label',
          null,
          React.createElement('span', { className: 'visually-hidden' }, props.description),
          React.createElement(Field, props),
        ),
      TextArea: (TextArea: unknown) => (props: object) =>
        React.createElement(TextArea, { 'aria-label': 'Request body', ...props }),
      liveResponse: (LiveResponse: unknown) => (props: LiveResponseProps) => {
        const id = props.response?.getIn(['headers', 'sandbox-request-id']);
        if (typeof id !== 'string') return React.createElement(LiveResponse, props);
        const href = `/_sandbox?call=${encodeURIComponent(id)}`;
        const link = React.createElement('a', { href }, 'Open this call in the inspector');
        return React.createElement(
          'div',
          null,
          React.createElement('p', { className: 'in-inspector' }, link),
          React.createElement(LiveResponse, props),
        );
      },
    },
    statePlugins: {
      layout: {
        // Its own would scroll what it shows below the header of the page.
        wrapActions: {
          scrollToElement: () => (element: Element) => () => element.scrollIntoView(),
        },
      },
    },
    fn: {
      opsFilter: (operations: TaggedOperations) =>
        operations
          .map((tag) =>
            tag.update('operations', (all) =>
              all.filter(
                (each) => found?.has(`${each.getIn(['operation', 'operationId'])}`) ?? true,
              ),
            ),
          )
          .filter((tag) => tag.get('operations').size > 0),
    },
  });
  return new Promise((resolve) => {
    const ui: SwaggerUi = SwaggerUI({
      spec,
      domNode,
      deepLinking: true,
      defaultModelsExpandDepth: 0,
      tryItOutEnabled: true,
      validatorUrl: null,
      plugins: [dress],
      onComplete: () => resolve(widgetOf(ui)),
    });
    const widgetOf = (drawn: SwaggerUi): Widget => {
      const { layoutActions, authActions } = drawn.getSystem();
      return {
        filter(left) {
          found = left;
          // What it is called matters not, only that it is another each time.
          layoutActions.updateFilter(left === undefined ? false : [...left, ' '].join(' '));
        },
        open(tag, operation) {
          layoutActions.show(['operations-tag', tag], true);
          if (operation !== undefined) layoutActions.show(['operations', tag, operation], true);
        },
        authorize(scheme, key) {
          if (key === '') authActions.logout([scheme]);
          else drawn.preauthorizeApiKey(scheme, key);
        },
      };
    };
  });
}
