import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { formatSecret, signedHeaders } from '../../core/webhook/signature.ts'
import { DOCUMENTS, FILES, ROOT, source } from '../support/structure.ts'

/** Files that name documents in comments, messages and alerts. */
const CITING = [...FILES, 'deploy/alerts.yaml', 'deploy/chart/values.yaml', 'deploy/compose.yaml']
const LONGEST = { 'README.md': 180, 'ARCHITECTURE.md': 280 }

test.each(Object.entries(LONGEST))('%s has at most %d lines', (file, lines) => {
  expect(source(file).trimEnd().split('\n').length).toBeLessThanOrEqual(lines)
})

test('the README links to every document', () => {
  const unlinked = readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .filter((name) => !source('README.md').includes(`](docs/${name})`))
  expect(unlinked).toEqual([])
})

test('only the two first commands need npx; the README tells how to install bun for the others', () => {
  const readme = source('README.md')
  expect(readme).toContain('npm install --global bun@1.4.5')
  const lines = DOCUMENTS.flatMap((file) =>
    source(file)
      .split('\n')
      .filter((line) => line.includes('npx -y bun@'))
      .map((line) => `${file}: ${line.split(' #')[0]?.trimEnd()}`),
  )
  expect(lines).toEqual([
    'README.md: npx -y bun@1.4.5 run dev',
    'README.md: npx -y bun@1.4.5 run check',
  ])
})

test('every relative link leads to a file, and to a heading if it names one', () => {
  const links = DOCUMENTS.flatMap((file) => linksOf(file).map((link) => ({ file, ...link })))
  expect(DOCUMENTS.length).toBeGreaterThan(70)
  expect(links.length).toBeGreaterThan(200)
  expect(links.filter(isBroken)).toEqual([])
})

test('every document that code names exists, with its heading', () => {
  const named = CITING.flatMap((file) =>
    [...source(file).matchAll(/\b((?:docs|contracts|sdk)\/[\w/-]+\.md)(?:#([\w-]+))?/g)].map(
      ([, path = '', anchor]) => ({ file, path, anchor }),
    ),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(isBroken)).toEqual([])
})

test('the snippet verifies webhooks with the headers of Fetch and with those of Node', () => {
  const [, snippet = ''] =
    /```ts\nimport { Webhook } from 'standardwebhooks'\n(.*?)```/s.exec(
      source('docs/webhooks.md'),
    ) ?? []
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

interface Link {
  readonly path: string
  readonly anchor: string | undefined
}

function isBroken({ path, anchor }: Link): boolean {
  if (!existsSync(join(ROOT, path))) return true
  return anchor !== undefined && path.endsWith('.md') && !anchorsOf(source(path)).includes(anchor)
}

/** The relative links and pictures of a document; code blocks and inline code hold examples. */
function linksOf(file: string): Link[] {
  const text = source(file)
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '`')
  const inline = [...text.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)]
  const defined = [...text.matchAll(/^\[[^\]^]+\]: (?![a-z]+:)(\S+)$/gm)]
  return [...inline, ...defined].map(([, link = '']) => {
    const [path = '', anchor] = link.split('#')
    return { path: path === '' ? file : normalize(join(dirname(file), path)), anchor }
  })
}

/** The anchors that GitHub gives a document's headings. */
function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>()
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)
  return [...headings].map(([, heading = '']) => {
    const anchor = heading
      .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const times = seen.get(anchor) ?? 0
    seen.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  })
}
