import { renderToString } from 'preact-render-to-string'

export interface ShownEmail {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly body: string
  readonly createdAt: Date
}

/** Every email of a development stack, which sends none. */
export function renderMailbox(emails: readonly ShownEmail[], styles: string): string {
  const html = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Mailbox</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={styles} />
      </head>
      <body>
        <main class="mailbox">
          <h1>Mailbox</h1>
          {emails.length === 0 && <p>No emails yet. Sent emails appear here, newest first.</p>}
          {emails.map(({ id, recipient, subject, body, createdAt }) => (
            <article key={id} class="card">
              <h2>{subject}</h2>
              <p class="hint">
                {recipient} · <time>{createdAt.toISOString()}</time>
              </p>
              {body.split(/(https?:\/\/\S+)/).map((part, n) =>
                n % 2 === 1 ? (
                  <a href={part} class="long">
                    {part}
                  </a>
                ) : (
                  <p class="text">{part.trim()}</p>
                ),
              )}
            </article>
          ))}
        </main>
      </body>
    </html>
  )
  return `<!doctype html>${renderToString(html)}`
}
