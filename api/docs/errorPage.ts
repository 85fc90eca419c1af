import { ERROR_HELP } from '../../core/base/errorHelp.ts'
import { ERROR_DOCS, ERRORS, type ErrorCode, isErrorCode } from '../../core/base/errors.ts'
import { htmlPage } from './content.ts'

/** The page that `docs` of every error links to: when each code occurs, and what to change. */
export function errorPage(): string {
  const codes = Object.keys(ERRORS).filter(isErrorCode)
  const body = `<main>
<h1>Errors</h1>
<p>${INTRODUCTION}</p>
<pre>${Bun.escapeHTML(EXAMPLE)}</pre>
<table>
<thead><tr><th>status</th><th>code</th><th>error</th></tr></thead>
<tbody>
${codes.map(row).join('\n')}
</tbody>
</table>
${codes.map(section).join('\n')}
</main>`
  return htmlPage('Remit API: errors', ERROR_DOCS, body)
}

const INTRODUCTION =
  'All errors have this form. Match errors by <code>code</code>, which never changes; <code>error</code> is a ' +
  'short text, <code>docs</code> links to the section below, and <code>traceId</code> identifies the request to ' +
  'support. Responses with status 400, 403 and 409 name the fields in <code>details</code>. verify and settle of ' +
  'x402 return 200, and the reason for a rejected payment in the result; other statuses are limits and server ' +
  'errors. <a href="/docs">The API reference</a> lists the errors of each route.'

const EXAMPLE = JSON.stringify(
  {
    success: false,
    error: ERRORS.invalid_request_body.text,
    code: 'invalid_request_body',
    docs: `${ERROR_DOCS}#invalid_request_body`,
    traceId: '0198c1de-7a30-7000-8000-3f2a9d5f4b11',
    details: [{ path: 'amountExpected', message: 'must be greater than 0' }],
  },
  null,
  2,
)

function row(code: ErrorCode): string {
  const { status, text } = ERRORS[code]
  const link = `<a href="#${code}"><code>${code}</code></a>`
  return `<tr><td>${status}</td><td>${link}</td><td>${Bun.escapeHTML(text)}</td></tr>`
}

function section(code: ErrorCode): string {
  const { status, text } = ERRORS[code]
  const { when, change } = ERROR_HELP[code]
  return `<section id="${code}">
<h2><code>${code}</code></h2>
<dl>
<dt>Status and error</dt><dd>${status} “${Bun.escapeHTML(text)}”</dd>
<dt>When</dt><dd>${marked(when)}</dd>
<dt>What to change</dt><dd>${marked(change)}</dd>
</dl>
</section>`
}

/** Text between backquotes is code. */
function marked(text: string): string {
  return Bun.escapeHTML(text).replace(/`([^`]*)`/g, '<code>$1</code>')
}

export const ERROR_CSS = `:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
h2 { font-size: 1.1rem; margin: 2.5rem 0 0.5rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: 0.2rem 0.8rem 0.2rem 0; border-bottom: 1px solid #8884 }
pre { overflow-x: auto; padding: 0.8rem; background: #8882 }
dt { font-weight: 600 }
dd { margin: 0 0 0.5rem }
section:target { outline: 2px solid #06f; outline-offset: 0.6rem }
`
