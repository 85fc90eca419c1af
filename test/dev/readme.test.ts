import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { formatSecret, signedHeaders } from '../../core/webhook/signature.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const README = read('README.md')

/** What the README sends a reader to who has not set anything up yet. */
const FIRST = [
  ...['README.md', 'docs/api.md', 'docs/backups.md', 'docs/configuration.md', 'docs/graphql.md'],
  ...['docs/operating.md', 'docs/upgrading.md', 'docs/webhooks.md', 'docs/x402.md'],
]
const DOCUMENTS = [
  ...['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...['sdk/README.md', 'contracts/README.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

test('every command begins with what somebody has who has Node only', () => {
  const bare = FIRST.flatMap((file) => read(file).split('\n')).filter((line) =>
    /(?:^|`|=\S+ )bunx? (?:run|test|install|x|@)/.test(line),
  )
  expect(bare).toEqual([])
  expect(README).toContain('npx -y bun@1.4.5 run remit reconcile')
})

test('the README stays short, and leads to every document', () => {
  expect(Buffer.byteLength(README)).toBeLessThan(25_000)
  const unlinked = readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .filter((name) => !README.includes(`](docs/${name})`))
  expect(unlinked).toEqual([])
})

test('every link leads to a file, and to a heading where it names one', () => {
  const broken = DOCUMENTS.flatMap((file) =>
    linksOf(file)
      .filter(({ path, anchor }) => {
        if (!existsSync(join(ROOT, path))) return true
        return anchor !== undefined && !anchorsOf(read(path)).includes(anchor)
      })
      .map((link) => ({ file, ...link })),
  )
  expect(DOCUMENTS.flatMap(linksOf).length).toBeGreaterThan(100)
  expect(broken).toEqual([])
})

test('the snippet verifies webhooks with the headers of Fetch and with those of Node', () => {
  const [, snippet = ''] =
    /```ts\nimport { Webhook } from 'standardwebhooks'\n(.*?)```/s.exec(read('docs/webhooks.md')) ??
    []
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

/** Where a document's links into the repository lead. */
function linksOf(file: string): { path: string; anchor: string | undefined }[] {
  const links = read(file).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)
  return [...links].map(([, link = '']) => {
    const [path = '', anchor] = link.split('#')
    return { path: path === '' ? file : join(dirname(file), path), anchor }
  })
}

/** The anchors that GitHub gives a document's headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
