/* The types of Playwright's test runner that the kit uses: it is installed in the projects of users. */

declare module '@playwright/test' {
  export interface PlaywrightTestArgs {}
  export interface PlaywrightTestOptions {}
  export interface PlaywrightWorkerArgs {}
  export interface PlaywrightWorkerOptions {}

  /** An error has a message. Anything else that was thrown is a value, as text. */
  export interface TestInfoError {
    message?: string;
    value?: string;
  }

  export interface TestInfo {
    readonly title: string;
    /** The file, the groups and the test. */
    readonly titlePath: readonly string[];
    readonly testId: string;
    readonly repeatEachIndex: number;
    /** From 0. */
    readonly retry: number;
    readonly file: string;
    readonly status?: string;
    readonly expectedStatus: string;
    /** Printed with the test. */
    errors: TestInfoError[];
  }

  type Use<Value> = (value: Value) => Promise<void>;

  type TestFixture<Value, Args> = (
    args: Args,
    use: Use<Value>,
    testInfo: TestInfo,
  ) => Promise<void>;

  export interface TestType<TestArgs, WorkerArgs> {
    extend<Test, Worker>(
      fixtures: {
        readonly [Name in keyof Worker]: readonly [
          (args: WorkerArgs, use: Use<Worker[Name]>) => Promise<void>,
          { readonly scope: 'worker' },
        ];
      } & {
        readonly [Name in keyof Test]:
          | TestFixture<Test[Name], Test & TestArgs & WorkerArgs & Worker>
          | readonly [
              TestFixture<Test[Name], Test & TestArgs & WorkerArgs & Worker>,
              { readonly auto: true },
            ];
      },
    ): TestType<TestArgs & Test, WorkerArgs & Worker>;
  }

  export const test: TestType<
    PlaywrightTestArgs & PlaywrightTestOptions,
    PlaywrightWorkerArgs & PlaywrightWorkerOptions
  >;
}
