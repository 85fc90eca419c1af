import { renderToString } from 'preact-render-to-string'
import type { Boot } from './session/boot.ts'

/** Where the page finds its files. */
export interface DashboardAssets {
  url(name: 'dashboard.js' | 'dashboard.css'): string
  /** Where the files are that dashboard.js can't begin without. */
  readonly needed: readonly string[]
}

/** The page of the dashboard as the server writes it: the frame, the language, and where the rest is. */
export function renderDashboard(boot: Boot, assets: DashboardAssets): string {
  const { locale, messages } = boot
  const html = (
    <html lang={locale}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{messages.product}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={assets.url('dashboard.css')} />
        {assets.needed.map((url) => (
          <link key={url} rel="modulepreload" href={url} />
        ))}
        <script type="module" src={assets.url('dashboard.js')} />
      </head>
      <body>
        <div id="dashboard">
          <main class="gate">
            <p class="brand">{messages.product}</p>
            <noscript>{messages.needsScript}</noscript>
          </main>
        </div>
        <script
          type="application/json"
          id="boot"
          dangerouslySetInnerHTML={{ __html: JSON.stringify(boot).replaceAll('<', '\\u003c') }}
        />
      </body>
    </html>
  )
  return `<!doctype html>${renderToString(html)}`
}
