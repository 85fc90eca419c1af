import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { asMerchantId, isUuid, type MerchantId } from '../../core/base/ids.ts'
import type { CommandInput } from './command.ts'
import { stackDescription } from './environment.ts'

/** The development stack's description of its API and its demo merchant. */
export interface DemoStack {
  readonly apiUrl: string | undefined
  readonly secretKey: string | undefined
  readonly merchantId: MerchantId | undefined
}

/** All fields are undefined without a stack. */
export function demoStack({ variables }: Pick<CommandInput, 'variables'>): DemoStack {
  const fields = fieldsOf(stackDescription(variables))
  const text = (name: string) => {
    const value = fields[name]
    return typeof value === 'string' ? value : undefined
  }
  const merchantId = text('merchantId')
  return {
    apiUrl: text('apiUrl'),
    secretKey: text('secretKey'),
    merchantId: merchantId && isUuid(merchantId) ? asMerchantId(merchantId) : undefined,
  }
}

/** The file with the demo merchant's keys: for developers, and for the stack's next start. */
const KEPT_IN = ['dev.json', 'merchant.json']

/** Updates the stack's file with a new key of its demo merchant. Ignores other merchants. */
export function keepDemoKey(
  { variables }: Pick<CommandInput, 'variables'>,
  merchantId: MerchantId,
  kind: 'secret' | 'publishable',
  key: string,
): void {
  const home = dirname(stackDescription(variables))
  for (const file of KEPT_IN.map((name) => join(home, name))) {
    const fields = fieldsOf(file)
    if (fields.merchantId !== merchantId) continue
    const changed = JSON.stringify({ ...fields, [`${kind}Key`]: key }, null, 2)
    // A concurrent reader finds the old or the new file, never a part.
    writeFileSync(`${file}.new`, `${changed}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
}

/** The object in a JSON file; empty without a file. */
function fieldsOf(path: string): Readonly<Record<string, unknown>> {
  const content: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
  return { ...(typeof content === 'object' ? content : null) }
}
