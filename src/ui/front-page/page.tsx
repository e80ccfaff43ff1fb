/* The front page, with example calls and links, and the page for paths that do not exist. */

import type { LiveNumbers } from '../../control/merchants.ts';
import { balanceIsolates, commandParts, shorten } from '../layout/client/user-text.ts';
import type { PageAsset } from '../layout/headers.ts';
import { Layout, renderPage, SiteHeader } from '../layout/layout.tsx';
import script from './client/main.ts?bundle';
import style from './front-page.css?bundle';

/** The content of the front page. */
export interface FrontPage {
  readonly version: string;
  /** The requested address. */
  readonly address: string;
  /** The path of a list operation, which needs no input. */
  readonly firstPath: string;
  /** The two calls of a purchase; undefined if the sandbox sells nothing. */
  readonly purchase:
    | { readonly initiatePath: string; readonly verifyPath: string; readonly body: object }
    | undefined;
  readonly links: {
    readonly inspector: string;
    readonly documents: {
      readonly openapi: string;
      readonly 'openapi-3.0': string;
      readonly reference: string;
      readonly assumptions: string;
      readonly llms: string;
    };
    readonly control: { readonly openapi: string; readonly reference: string };
    readonly health: { readonly live: string; readonly ready: string };
  };
  /** The demo merchant, whose key is public; undefined if there is none. */
  readonly demo: { readonly name: string; readonly key: string } | undefined;
  /** How long purchase tokens live, in words. */
  readonly tokenLifetimes: string;
  /** The longest lifetime: in words, and as an ISO 8601 duration. */
  readonly longestLifetime: { readonly words: string; readonly duration: string };
  /** Whether admin calls need a token. */
  readonly asksToken: boolean;
  /** Numbers of merchants, policies and calls, for callers who may make admin calls. */
  readonly live: LiveNumbers | undefined;
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
        <Calls {...page} />
        <Links {...page} />
      </main>
    </Layout>,
  );

/** Renders the page for a path that has none. */
export const missingPage = (path: string, links: FrontPage['links']): string =>
  renderPage(
    <Layout
      title="No page - micro-insurance-sandbox"
      styles={['theme.css', 'front-page.css']}
      page="front-page"
    >
      <SiteHeader />
      <main>
        <section class="intro missing">
          <h1>There is no page here</h1>
          <p class="lead">
            The sandbox has no <code>{balanceIsolates(shorten(path))}</code>. Start at the{' '}
            <a href="/">front page</a>, or choose one of these:
          </p>
        </section>
        <Links links={links} />
      </main>
    </Layout>,
  );

const Intro = ({ version, demo, live }: FrontPage) => (
  <section class="intro">
    <h1>
      micro-insurance-sandbox <span class="pill">{version}</span>
    </h1>
    <p class="lead">
      A local stand-in for a micro-insurance provider's merchant API. It runs in memory, returns the
      same responses on every run, and lets you control time and failures.
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

const Calls = ({
  address,
  firstPath,
  purchase,
  demo,
  tokenLifetimes,
  longestLifetime: { words, duration },
  asksToken,
}: FrontPage) => {
  const step = JSON.stringify({ by: duration });
  const key = demo?.key ?? 'YOUR_KEY';
  const authorization = `-H 'Authorization: Bearer ${key}' \\\n  `;
  return (
    <section class="calls">
      {demo ? (
        <Call
          title="Make a first call"
          text="List the policies of the demo merchant."
          curl={`curl ${authorization}${address}${firstPath}`}
          run={{ method: 'GET', path: firstPath, key }}
        />
      ) : (
        <Call
          title="Create a merchant"
          text="The response has the merchant's API key."
          curl={`curl -X POST ${asksToken ? ADMIN : ''}${address}/_sandbox/merchants`}
        />
      )}
      {demo && purchase && <Purchase {...purchase} address={address} demoKey={demo.key} />}
      <Call
        title={`Skip ${words}`}
        text={`Purchase tokens expire after ${tokenLifetimes}. Move the clock instead of waiting.`}
        curl={`curl -X POST ${authorization}${JSON_TYPE}-d '${step}' \\\n  ${address}${ADVANCE}`}
        {...(demo && { run: { method: 'POST', path: ADVANCE, key, body: step } })}
      />
    </section>
  );
};

interface PurchaseProps extends NonNullable<FrontPage['purchase']> {
  readonly address: string;
  readonly demoKey: string;
}

/** A purchase as one command. The second call sends the token that the first returned. */
function Purchase({ address, demoKey, initiatePath, verifyPath, body }: PurchaseProps) {
  const authorization = `-H 'Authorization: Bearer ${demoKey}' \\\n  `;
  const json = packed(body).replaceAll("'", "'\\''");
  const initiate = `curl -s ${authorization}${JSON_TYPE}-d '${json}' \\\n  ${address}${initiatePath}`;
  const token = `sed 's/.*"token":"\\([^"]*\\)".*/\\1/'`;
  const verify = `curl ${authorization}${JSON_TYPE}-d "{\\"token\\":\\"$TOKEN\\"}" \\\n  ${address}${verifyPath}`;
  return (
    <Call
      title="Buy a policy"
      text="Initiate returns a token, and verify with that token returns the policy."
      curl={`TOKEN=$(${initiate} |\n  ${token})\n\n${verify}`}
      run={{
        method: 'POST',
        path: initiatePath,
        key: demoKey,
        body: JSON.stringify(body),
        verifyPath,
      }}
    />
  );
}

/** How wide the lines of a body are. */
const WIDTH = 62;

/** JSON with as many fields on a line as fit. */
function packed(body: object): string {
  const lines = [''];
  for (const [name, value] of Object.entries(body)) {
    const field = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + field.length > WIDTH) lines.push(field);
    else lines[lines.length - 1] = line === '' ? field : `${line},${field}`;
  }
  return `{${lines.join(',\n    ')}}`;
}

const ADMIN = "-H 'Authorization: Bearer YOUR_ADMIN_TOKEN' \\\n  ";
const JSON_TYPE = "-H 'Content-Type: application/json' \\\n  ";
const ADVANCE = '/_sandbox/clock/advance';

interface CallProps {
  readonly title: string;
  readonly text: string;
  readonly curl: string;
  /** The request, if the page can send it. */
  readonly run?: {
    readonly method: string;
    readonly path: string;
    readonly key: string;
    readonly body?: string;
    /** For a purchase: where to send the token of the response. */
    readonly verifyPath?: string;
  };
}

const Call = ({ title, text, curl, run }: CallProps) => (
  <article class={run?.verifyPath === undefined ? undefined : 'purchase'}>
    <h2>{title}</h2>
    <p>{text}</p>
    <div class="command">
      <pre>
        {commandParts(curl).map((part) => (
          <>
            {part}
            <wbr />
          </>
        ))}
      </pre>
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

const Links = ({ links }: Pick<FrontPage, 'links'>) => {
  const { inspector, documents, control, health } = links;
  return (
    <section class="links" aria-label="Where to go">
      <a href={inspector}>
        <b>Inspector</b>
        <span>
          Watch calls arrive and see why one was refused. Change records, clock and faults.
        </span>
      </a>
      <a href={documents.reference}>
        <b>Merchant API</b>
        <span>Read and try every operation.</span>
      </a>
      <a href={control.reference}>
        <b>Control plane</b>
        <span>Read and try the calls for clock, faults, journal, snapshots and merchants.</span>
      </a>
      <a href={documents.assumptions}>
        <b>Assumptions</b>
        <span>What the sandbox does where the specification is silent.</span>
      </a>
      <p>
        <span>
          OpenAPI: merchant API <a href={documents.openapi}>3.1</a> and{' '}
          <a href={documents['openapi-3.0']}>3.0</a>, <a href={control.openapi}>control plane</a>
        </span>
        <span>
          For coding agents: <a href={documents.llms}>{documents.llms}</a>
        </span>
        <span>
          Health: <a href={health.live}>{health.live}</a> and{' '}
          <a href={health.ready}>{health.ready}</a>
        </span>
      </p>
    </section>
  );
};

const ASSETS: Readonly<Record<string, PageAsset>> = {
  'front-page.css': { type: 'text/css', text: style },
  'front-page.js': { type: 'text/javascript', text: script },
};

/** A file of the front page, by name; undefined if there is none. */
export function frontPageAsset(name: string): PageAsset | undefined {
  return Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
}
