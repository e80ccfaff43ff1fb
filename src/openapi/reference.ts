import style from 'swagger-ui-dist/swagger-ui.css?raw';
import script from 'swagger-ui-dist/swagger-ui-bundle.js?raw';

/** A file of the reference pages. */
export interface ReferenceAsset {
  readonly type: string;
  readonly text: string;
}

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** A page that shows one document, which is named where its script finds it. */
const page = (title: string, document: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/reference.css">
<style>
  body { margin: 0 }
  nav { max-width: 1460px; margin: 1rem auto 0; padding: 0 20px; font-family: sans-serif }
  nav a { margin-right: 1.5rem }
  .swagger-ui .response-col_links { display: none }
  .swagger-ui .opblock-body { overflow-x: auto }
  #suppositions td, #suppositions th { padding: .4rem .8rem .4rem 0; text-align: left; vertical-align: top }
  @media (max-width: 50rem) {
    #suppositions table, #suppositions tbody, #suppositions tr, #suppositions td { display: block }
    #suppositions thead { display: none }
    #suppositions tr { padding: .8rem 0; border-bottom: 1px solid #ccc }
    #suppositions td { padding: 0 0 .3rem }
  }
</style>
<nav aria-label="Pages"><a href="/">Sandbox</a> <a href="/docs">Merchant API</a> <a href="/docs/control">Control plane</a></nav>
<noscript><p>This page needs JavaScript; the document itself is at <a href="${document}">${document}</a>.</p></noscript>
<div id="reference" data-document="${document}"></div>
<section id="suppositions" class="swagger-ui"></section>
<script src="/docs/reference.js"></script>
<script src="/docs/page.js"></script>
</html>
`;

// The documents name the default address; what is tried here must reach the sandbox that shows the page.
const start = `const escaped = (text) => {
  const element = document.createElement('span');
  element.textContent = text;
  return element.innerHTML.replace(/\`([^\`]+)\`/g, '<code>$1</code>').replace(/[*](\\w+)[*]/g, '<em>$1</em>');
};

const reference = document.getElementById('reference');
fetch(reference.dataset.document).then((response) => response.json()).then((spec) => {
  spec.servers = [{ url: location.origin, description: 'This sandbox' }];
  const ui = SwaggerUIBundle({
    spec,
    domNode: reference,
    deepLinking: true,
    showExtensions: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete: () => ui.preauthorizeApiKey('merchantKey', 'sk_sandbox_demo'),
  });
  if (!spec['x-assumptions']) return;
  const rows = Object.entries(spec['x-assumptions']).map(([id, { question, decision, basis, setting }]) =>
    '<tr id="' + id + '"><td><code>' + id + '</code></td><td>' + escaped(question) + '</td><td>' +
    escaped(decision) + (setting === undefined ? '' :
      '<p><strong>Set otherwise here:</strong> <code>' + escaped(JSON.stringify(setting)) + '</code></p>') +
    '</td><td>' + basis + '</td></tr>');
  document.getElementById('suppositions').innerHTML =
    '<div class="wrapper"><h2>What the sandbox assumes</h2>' +
    '<p>Where the contract is silent the sandbox decides; x-assumptions above name these rows.</p>' +
    '<table><thead><tr><th scope="col">id</th><th scope="col">open question</th>' +
    '<th scope="col">decision</th><th scope="col">basis</th></tr></thead><tbody>' +
    rows.join('') + '</tbody></table></div>';
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
});
`;

const ASSETS: Readonly<Record<string, ReferenceAsset>> = {
  '': { type: HTML, text: page('Merchant API: reference', '/openapi.json') },
  control: { type: HTML, text: page('Control plane: reference', '/_sandbox/openapi.json') },
  'page.js': { type: SCRIPT, text: start },
  'reference.js': { type: SCRIPT, text: script },
  'reference.css': { type: 'text/css; charset=utf-8', text: style },
};

/** A file of the reference pages by its name below `/docs`; the merchant API's page has none. */
export function referenceAsset(name: string): ReferenceAsset | undefined {
  return Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
}
