import type { LiveNumbers } from '../../control/merchants.ts';
import { balanceIsolates, shorten } from '../layout/client/user-text.ts';
import type { PageAsset } from '../layout/headers.ts';
import { Layout, renderPage, SiteHeader } from '../layout/layout.tsx';
import script from './client/main.ts?bundle';
import style from './front-page.css?bundle';

/** What the front page shows. */
export interface FrontPage {
  readonly version: string;
  /** Where this sandbox was asked. */
  readonly address: string;
  /** The call that lists something: it needs nothing but a key. */
  readonly firstPath: string;
  readonly links: {
    readonly inspector: string;
    readonly documents: {
      readonly openapi: string;
      readonly 'openapi-3.0': string;
      readonly reference: string;
      readonly assumptions: string;
    };
    readonly control: { readonly openapi: string; readonly reference: string };
    readonly health: { readonly live: string; readonly ready: string };
  };
  /** The demo merchant, where there is one: its key is everybody's to know, that of another is not told here. */
  readonly demo: { readonly name: string; readonly key: string } | undefined;
  /** Whether calls over the whole sandbox ask for an admin token. */
  readonly asksToken: boolean;
  /** What the sandbox holds, for those who may know. */
  readonly live: LiveNumbers | undefined;
}

/** The text of the front page. */
export const frontPage = (page: FrontPage): string =>
  renderPage(
    <Layout
      title="micro-insurance-sandbox"
      styles={['theme.css', 'front-page.css']}
      scripts={['front-page.js']}
      page="front-page"
    >
      <SiteHeader current="Sandbox" />
      <main>
        <Intro {...page} />
        <Calls {...page} />
        <Links {...page} />
      </main>
    </Layout>,
  );

const Intro = ({ version, demo, live }: FrontPage) => (
  <section class="intro">
    <h1>
      micro-insurance-sandbox <span class="pill">{version}</span>
    </h1>
    <p class="lead">
      A local stand-in for a micro-insurance provider's merchant API: in memory, deterministic, with
      a clock you own.
    </p>
    {demo && (
      <p class="merchant">
        <b>
          <bdi>{balanceIsolates(shorten(demo.name))}</bdi>
        </b>
        <code>{demo.key}</code>
        <button type="button" class="quiet" data-copy={demo.key} aria-label="Copy the key">
          Copy
        </button>
      </p>
    )}
    {live && (
      <dl class="live" aria-label="What this sandbox holds now">
        {Object.entries(live).map(([name, number]) => (
          <div>
            <dt>{name}</dt>
            <dd data-live={name}>{number.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
    )}
  </section>
);

const Calls = ({ address, firstPath, demo, asksToken }: FrontPage) => {
  const key = demo?.key ?? 'YOUR_KEY';
  const authorization = `-H 'Authorization: Bearer ${key}' \\\n  `;
  return (
    <section class="calls">
      {demo ? (
        <Call
          title="A first call"
          text="It lists what the demo merchant has sold so far."
          curl={`curl ${authorization}${address}${firstPath}`}
          run={{ method: 'GET', path: firstPath, key }}
        />
      ) : (
        <Call
          title="A first call"
          text="It opens a merchant, and answers its key."
          curl={`curl -X POST ${asksToken ? ADMIN : ''}${address}/_sandbox/merchants`}
        />
      )}
      <Call
        title="Fifteen minutes, at once"
        text="A purchase lapses after fifteen minutes. Nobody has to wait for them."
        curl={`curl -X POST ${authorization}${JSON_TYPE}-d '${QUARTER}' \\\n  ${address}${ADVANCE}`}
        {...(demo && { run: { method: 'POST', path: ADVANCE, key, body: QUARTER } })}
      />
    </section>
  );
};

const ADMIN = "-H 'Authorization: Bearer YOUR_ADMIN_TOKEN' \\\n  ";
const JSON_TYPE = "-H 'Content-Type: application/json' \\\n  ";
const ADVANCE = '/_sandbox/clock/advance';
const QUARTER = '{"by":"PT15M"}';

interface CallProps {
  readonly title: string;
  readonly text: string;
  readonly curl: string;
  /** The call itself, where the page can make it. */
  readonly run?: {
    readonly method: string;
    readonly path: string;
    readonly key: string;
    readonly body?: string;
  };
}

const Call = ({ title, text, curl, run }: CallProps) => (
  <article>
    <h2>{title}</h2>
    <p>{text}</p>
    <div class="command">
      <pre>{curl}</pre>
      <div class="actions">
        <button type="button" data-copy={curl} aria-label={`Copy: ${title}`}>
          Copy
        </button>
        {run && (
          <button
            type="button"
            class="primary"
            data-run={JSON.stringify(run)}
            aria-label={`Run: ${title}`}
          >
            Run
          </button>
        )}
      </div>
    </div>
    {run && <div class="answer" aria-live="polite" />}
  </article>
);

const Links = ({ links }: FrontPage) => {
  const { inspector, documents, control, health } = links;
  return (
    <section class="links" aria-label="Where to go">
      <a href={inspector}>
        <b>Inspector</b>
        <span>
          Each call as it comes, and what was wrong with it. Records, clock and faults by a click.
        </span>
      </a>
      <a href={documents.reference}>
        <b>Merchant API</b>
        <span>Every operation, to read and to try.</span>
      </a>
      <a href={control.reference}>
        <b>Control plane</b>
        <span>Clock, faults, journal, snapshots and merchants, to read and to try.</span>
      </a>
      <a href={documents.assumptions}>
        <b>Assumptions</b>
        <span>What the contract leaves open, and what the sandbox does.</span>
      </a>
      <p>
        <span>
          OpenAPI: merchant API <a href={documents.openapi}>3.1</a>,{' '}
          <a href={documents['openapi-3.0']}>3.0</a>; <a href={control.openapi}>control plane</a>
        </span>
        <span>
          Health: <a href={health.live}>{health.live}</a>, <a href={health.ready}>{health.ready}</a>
        </span>
      </p>
    </section>
  );
};

const ASSETS: Readonly<Record<string, PageAsset>> = {
  'front-page.css': { type: 'text/css', text: style },
  'front-page.js': { type: 'text/javascript', text: script },
};

/** A file of the front page by its name; undefined if there is none. */
export function frontPageAsset(name: string): PageAsset | undefined {
  return Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
}
