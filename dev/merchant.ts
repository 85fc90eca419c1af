/** The demo merchant: made once by the operator's command line, its keys kept in the home. */
import { join } from 'node:path'
import type { Variables } from '../core/config.ts'
import { openDatabase } from '../store/database.ts'
import { type Home, readJson, writeSecret } from './home.ts'
import { addressOf, type DevelopmentKeys } from './keys.ts'
import { StackError } from './process.ts'

export type DemoMerchant = { merchantId: string; secretKey: string; publishableKey: string }

/** The kept merchant while its secret key is valid in this ledger, else a new one. */
export async function demoMerchant(
  root: string,
  home: Home,
  keys: DevelopmentKeys,
  variables: Variables,
): Promise<DemoMerchant> {
  const path = join(home.dir, 'merchant.json')
  const kept = merchantIn(readJson(path))
  if (kept !== undefined && (await isKnown(kept, variables.DATABASE_URL ?? ''))) return kept
  const created = merchantIn(await create(root, addressOf(keys.merchant), variables))
  if (created === undefined) throw new StackError('`merchant create --json` printed no merchant.')
  writeSecret(path, `${JSON.stringify(created, null, 2)}\n`)
  return created
}

async function isKnown(merchant: DemoMerchant, databaseUrl: string): Promise<boolean> {
  const database = openDatabase(databaseUrl, { name: 'remit-dev', poolSize: 1 })
  try {
    for (const key of [merchant.secretKey, merchant.publishableKey]) {
      const hash = new Bun.CryptoHasher('sha256').update(key).digest()
      const found = await database`
        select 1 from api_key
        where hash = ${hash} and merchant_id = ${merchant.merchantId} and revoked_at is null`
      if (found.length === 0) return false
    }
    return true
  } finally {
    await database.end()
  }
}

async function create(root: string, recipient: string, variables: Variables): Promise<unknown> {
  const what = ['merchant', 'create', '--name', 'Demo', '--recipient', recipient, '--json']
  const child = Bun.spawn([process.execPath, join(root, 'cli/main.ts'), ...what], {
    cwd: root,
    env: { ...variables },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, words] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) === 0) return JSON.parse(out)
  throw new StackError(`The demo merchant could not be created: ${words.trim()}`)
}

function merchantIn(value: unknown): DemoMerchant | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields: Record<string, unknown> = { ...value }
  const { secretKey, publishableKey } = fields
  const merchantId = fields.merchantId ?? fields.id
  const isWhole = [merchantId, secretKey, publishableKey].every((text) => typeof text === 'string')
  if (!isWhole) return undefined
  return {
    merchantId: String(merchantId),
    secretKey: String(secretKey),
    publishableKey: String(publishableKey),
  }
}
