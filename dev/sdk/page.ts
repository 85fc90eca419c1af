/** The script and the style of the SDK's payment page, as constants that the SDK carries. */
import { join } from 'node:path'
import { bundle } from 'lightningcss'
import { SDK } from './schema.ts'

export const PAGE_FILE = join(SDK, 'src/x402/page/built.ts')

/** The oldest browsers with `light-dark()`. */
const TARGETS = { chrome: 123 << 16, firefox: 120 << 16, safari: (17 << 16) | (5 << 8) }

/** The file with both, and with their hashes for the page's policy. */
export async function buildPage(): Promise<string> {
  const built = await Bun.build({
    entrypoints: [join(SDK, 'page/main.ts')],
    target: 'browser',
    format: 'iife',
    minify: true,
  })
  const [output] = built.outputs
  if (output === undefined) throw new Error('the script of the payment page was not built')
  // It must not close the element around it.
  const script = (await output.text()).trim().replaceAll('</', '<\\/')
  const filename = join(SDK, 'page/page.css')
  const style = bundle({ filename, minify: true, targets: TARGETS }).code.toString().trim()
  const constants = {
    SCRIPT: script,
    SCRIPT_HASH: hashOf(script),
    STYLE: style,
    STYLE_HASH: hashOf(style),
  }
  const lines = Object.entries(constants).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`,
  )
  return `/** Written by \`bun run sdk\` from \`sdk/page/\`. */\n\n${lines.join('')}`
}

function hashOf(text: string): string {
  return `sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}`
}
