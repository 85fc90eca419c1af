import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { formatSecret, signedHeaders } from '../../core/webhook/signature.ts'

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

test('every command begins with what somebody has who has Node only', () => {
  const bare = README.split('\n').filter((line) =>
    /(?:^|`|=\S+ )bunx? (?:run|test|install|x|@)/.test(line),
  )
  expect(bare).toEqual([])
  expect(README).toContain('npx -y bun@1.4.5 run remit reconcile')
})

test('the snippet verifies webhooks with the headers of Fetch and with those of Node', () => {
  const [, snippet = ''] =
    /```ts\nimport { Webhook } from 'standardwebhooks'\n(.*?)```/s.exec(README) ?? []
  expect(snippet).toContain('.verify(')
  const verify = new Function('Webhook', 'SECRET', 'body', 'headers', `${snippet}\nreturn event`)
  const secret = formatSecret('sandbox', new Uint8Array(32).fill(7))
  const body = JSON.stringify({ type: 'test', timestamp: new Date().toISOString(), data: {} })
  const signed = signedHeaders({ id: 'an-event', at: new Date(), body }, [secret])
  for (const headers of [new Headers(signed), { ...signed, host: 'shop.example' }]) {
    expect(verify(Webhook, secret, body, headers)).toMatchObject({ type: 'test' })
    expect(() => verify(Webhook, secret, `${body} `, headers)).toThrow()
  }
})
