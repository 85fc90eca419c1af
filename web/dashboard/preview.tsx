import { renderToString } from 'preact-render-to-string'

/** Where the frame is that shows merchants what payers see. */
export const PREVIEW_PATH = '/dashboard/checkout-preview'

/** The frame of the preview, without anything in it: the settings page draws the checkout there. */
export function renderPreview(styles: string): string {
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Checkout</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={styles} />
      </head>
      <body>
        <div id="checkout" inert />
      </body>
    </html>
  )
  return `<!doctype html>${renderToString(html)}`
}
