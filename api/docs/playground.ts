import { SDL } from '../books/graphqlSchema.ts'
import { htmlPage } from './content.ts'

/** The GraphQL playground, served with all of its assets. */

export const PLAYGROUND_PATH = '/docs/graphql'
export const SCHEMA_PATH = `${PLAYGROUND_PATH}/schema`

const EXAMPLE = `{
  volume(from: "2026-06-01", to: "2026-07-01", per: MONTH) {
    day
    chain
    token { symbol }
    payments
    received { decimal }
    fees { decimal }
  }
}`

export function playgroundPage(): string {
  const script = `<script src="${PLAYGROUND_PATH}.js" defer></script>\n`
  const body = `<main>
<h1>Figures</h1>
<form id="query-form">
<p><label for="key">Secret key, or the operator’s token</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" required></p>
<p><label for="query">Query</label>
<textarea id="query" rows="14" spellcheck="false" required>${Bun.escapeHTML(EXAMPLE)}</textarea></p>
<p><label for="variables">Variables, as JSON</label>
<textarea id="variables" rows="2" spellcheck="false"></textarea></p>
<p><button>Ask</button> <span id="state" role="status"></span></p>
</form>
<h2>Answer</h2>
<pre id="answer" tabindex="0" aria-label="Answer"></pre>
<details>
<summary>Schema</summary>
<pre tabindex="0" aria-label="Schema">${Bun.escapeHTML(SDL.trim())}</pre>
<p><a href="${SCHEMA_PATH}">The schema as a file</a>, for tools that write types.</p>
</details>
</main>`
  return htmlPage('Remit API: figures', PLAYGROUND_PATH, body, script)
}

/** Keys stay in the input field: they are sent to this API and not stored. */
export const PLAYGROUND_SCRIPT = `const at = (id) => document.getElementById(id)

async function sendQuery() {
  const key = at('key').value.trim()
  const isKey = /^sk_(test|live)_/.test(key)
  const variables = at('variables').value.trim()
  const began = performance.now()
  const response = await fetch('/v1/graphql', {
    method: 'POST',
    credentials: 'omit',
    headers: {
      'content-type': 'application/json',
      ...(isKey ? { 'x-service-key': key } : { authorization: 'Bearer ' + key }),
    },
    body: JSON.stringify({
      query: at('query').value,
      ...(variables === '' ? {} : { variables: JSON.parse(variables) }),
    }),
  })
  at('answer').textContent = JSON.stringify(await response.json(), null, 2)
  at('state').textContent = response.status + ', ' + Math.round(performance.now() - began) + ' ms'
}

at('query-form').addEventListener('submit', (event) => {
  event.preventDefault()
  at('state').textContent = 'Asking …'
  sendQuery().catch((error) => {
    at('answer').textContent = ''
    at('state').textContent = String(error)
  })
})
at('query').addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) at('query-form').requestSubmit()
})
`

export const PLAYGROUND_CSS = `:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
label { display: block; font-weight: 600 }
input, textarea { box-sizing: border-box; width: 100%; padding: 0.5rem; font: 14px/1.5 ui-monospace, monospace }
button { font: inherit; padding: 0.4rem 1.2rem }
pre { overflow-x: auto; padding: 0.8rem; background: #8882; font-size: 14px }
`
