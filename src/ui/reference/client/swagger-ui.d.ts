/** The widget, as far as it is used here. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** One of React; its props are what the widget hands over. */
  type Component = (props: never) => unknown;

  export interface SwaggerSystem {
    readonly React: {
      createElement(type: unknown, props: object | null, ...children: unknown[]): unknown;
    };
    readonly layoutActions: {
      show(thing: readonly string[], isShown: boolean): void;
      updateFilter(phrase: string | false): void;
    };
    readonly authActions: { logout(schemes: readonly string[]): void };
  }

  /** Immutable's, by tag. */
  export interface TaggedOperations {
    map(change: (tag: Tag) => Tag): TaggedOperations;
    filter(accept: (tag: Tag) => boolean): TaggedOperations;
  }

  interface Tag {
    update(key: 'operations', change: (operations: Operations) => Operations): Tag;
    get(key: 'operations'): Operations;
  }

  interface Operations {
    readonly size: number;
    filter(accept: (operation: { getIn(path: readonly string[]): unknown }) => boolean): Operations;
  }

  interface Plugin {
    readonly components: Readonly<Record<string, Component>>;
    /** Each is handed the widget's own. */
    readonly wrapComponents: Readonly<Record<string, (original: unknown) => Component>>;
    readonly statePlugins: {
      readonly layout: {
        readonly wrapActions: {
          readonly scrollToElement: () => (element: Element) => () => void;
        };
      };
    };
    readonly fn: {
      opsFilter(operations: TaggedOperations, phrase: string): TaggedOperations;
    };
  }

  export interface SwaggerUi {
    preauthorizeApiKey(scheme: string, key: string): void;
    getSystem(): SwaggerSystem;
  }

  export default function SwaggerUI(options: {
    readonly spec: object;
    readonly domNode: Element;
    readonly deepLinking: boolean;
    readonly defaultModelsExpandDepth: number;
    readonly tryItOutEnabled: boolean;
    readonly validatorUrl: null;
    readonly plugins: readonly ((system: SwaggerSystem) => Plugin)[];
    onComplete(): void;
  }): SwaggerUi;
}
