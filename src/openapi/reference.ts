import style from 'swagger-ui-dist/swagger-ui.css?raw';
import script from 'swagger-ui-dist/swagger-ui-bundle.js?raw';

/** A file of the reference page. */
export interface ReferenceAsset {
  readonly type: string;
  readonly text: string;
}

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Merchant API: reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/reference.css">
<style>
  body { margin: 0 }
  #suppositions td, #suppositions th { padding: .4rem .8rem .4rem 0; text-align: left; vertical-align: top }
</style>
<div id="reference"></div>
<section id="suppositions" class="swagger-ui"></section>
<script src="/docs/reference.js"></script>
<script src="/docs/page.js"></script>
</html>
`;

// The document names the default address; what is tried here must reach the sandbox that shows the page.
const start = `const escaped = (text) => {
  const element = document.createElement('span');
  element.textContent = text;
  return element.innerHTML.replace(/\`([^\`]+)\`/g, '<code>$1</code>').replace(/[*](\\w+)[*]/g, '<em>$1</em>');
};

fetch('/openapi.json').then((response) => response.json()).then((spec) => {
  spec.servers = [{ url: location.origin, description: 'This sandbox' }];
  const ui = SwaggerUIBundle({
    spec,
    domNode: document.getElementById('reference'),
    deepLinking: true,
    showExtensions: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete: () => ui.preauthorizeApiKey('merchantKey', 'sk_sandbox_demo'),
  });
  const rows = Object.entries(spec['x-assumptions']).map(([id, { question, decision, basis }]) =>
    '<tr id="' + id + '"><td><code>' + id + '</code></td><td>' + escaped(question) + '</td><td>' +
    escaped(decision) + '</td><td>' + basis + '</td></tr>');
  document.getElementById('suppositions').innerHTML =
    '<div class="wrapper"><h2>What the sandbox supposes</h2>' +
    '<p>Where the contract is silent the sandbox decides; x-assumptions above name these rows.</p>' +
    '<table><thead><tr><th>id</th><th>open question</th><th>decision</th><th>basis</th></tr></thead><tbody>' +
    rows.join('') + '</tbody></table></div>';
});
`;

const ASSETS: Readonly<Record<string, ReferenceAsset>> = {
  '': { type: HTML, text: page },
  'page.js': { type: SCRIPT, text: start },
  'reference.js': { type: SCRIPT, text: script },
  'reference.css': { type: 'text/css; charset=utf-8', text: style },
};

/** A file of the reference page by its name below `/docs`; the page itself has none. */
export function referenceAsset(name: string): ReferenceAsset | undefined {
  return Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
}
