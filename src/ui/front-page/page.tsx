/* The front page, which starts the story of a lost response, and the page for paths that do not exist. */

import type { Contract } from '../inspector/contract.ts';
import { purchaseOf } from '../layout/client/purchase.ts';
import { balanceIsolates, shorten } from '../layout/client/user-text.ts';
import { Layout, renderPage, SiteHeader } from '../layout/layout.tsx';

/** The content of the front page. */
export interface FrontPage {
  readonly version: string;
  /** The requested address. */
  readonly address: string;
  /** The demo merchant, whose key is public; undefined if there is none. */
  readonly demo: { readonly name: string; readonly key: string } | undefined;
  readonly contract: Contract;
}

/** Renders the front page. */
export const frontPage = (page: FrontPage): string =>
  renderPage(
    <Layout
      title="micro-insurance-sandbox"
      styles={['theme.css', 'front-page.css']}
      scripts={['front-page.js']}
      page="front-page"
    >
      <SiteHeader current="Overview" />
      <main>
        <Intro {...page} />
        <Links />
      </main>
    </Layout>,
  );

/** Renders the page for a path that has none. */
export const missingPage = (path: string): string =>
  renderPage(
    <Layout
      title="No page - micro-insurance-sandbox"
      styles={['theme.css', 'front-page.css']}
      page="front-page"
    >
      <SiteHeader />
      <main>
        <section class="intro">
          <h1>There is no page here</h1>
          <p class="lead">
            The sandbox has no <code>{balanceIsolates(shorten(path))}</code>. Start at the{' '}
            <a href="/">front page</a>, or choose one of these:
          </p>
        </section>
        <Links />
      </main>
    </Layout>,
  );

const Intro = ({ version, address, demo, contract }: FrontPage) => {
  const [family] = contract.families;
  return (
    <section class="intro">
      <h1>
        micro-insurance-sandbox <span class="pill">{version}</span>
      </h1>
      <p class="lead">
        A local stand-in for a micro-insurance provider's merchant API. It runs in memory, returns
        the same responses on every run, and lets you control time and failures.
      </p>
      {demo && family ? (
        <>
          <div
            class="start"
            data-purchase={JSON.stringify(purchaseOf(contract, family.tag, demo.key))}
          >
            <button type="button" class="primary" data-story="loseResponse">
              Show me a lost response
            </button>
            <button type="button" data-story="buyPolicy">
              Buy a policy
            </button>
          </div>
          <p id="said" class="muted" role="status">
            The first one buys a policy, loses the answer, tries again and is refused. Both open the
            inspector.
          </p>
        </>
      ) : null}
      <dl class="facts">
        <Fact name="Address" text={address} />
        {demo ? <Fact name={demo.name} text={demo.key} /> : null}
      </dl>
    </section>
  );
};

/** A text to copy. */
const Fact = ({ name, text }: { name: string; text: string }) => (
  <div>
    <dt>
      <bdi>{balanceIsolates(shorten(name))}</bdi>
    </dt>
    <dd>
      <code>{text}</code>
      <button type="button" class="quiet" data-copy={text} aria-label={`Copy ${text}`}>
        Copy
      </button>
    </dd>
  </div>
);

const Links = () => (
  <section class="links" aria-label="Where to go">
    <dl>
      <dt>
        <a href="/_sandbox">Inspector</a>
      </dt>
      <dd>Watch calls arrive and see why one was refused.</dd>
      <dt>
        <a href="/docs">Merchant API</a>
      </dt>
      <dd>Read and try every operation.</dd>
      <dt>
        <a href="/docs/control">Control plane</a>
      </dt>
      <dd>Clock, faults, journal, snapshots and merchants.</dd>
      <dt>
        <a href="/docs/assumptions">Assumptions</a>
      </dt>
      <dd>What the sandbox does where the specification is silent.</dd>
      <dt>OpenAPI</dt>
      <dd>
        Merchant API <a href="/openapi.json">3.1</a> and <a href="/openapi-3.0.json">3.0</a>,
        control plane <a href="/_sandbox/openapi.json">3.1</a> and{' '}
        <a href="/_sandbox/openapi-3.0.json">3.0</a>
      </dd>
      <dt>Coding agents</dt>
      <dd>
        <a href="/llms.txt">/llms.txt</a>
      </dd>
      <dt>Health</dt>
      <dd>
        <a href="/livez">/livez</a> and <a href="/readyz">/readyz</a>
      </dd>
    </dl>
  </section>
);
