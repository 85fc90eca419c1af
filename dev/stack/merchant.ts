/** The demo merchant: created once, with its keys stored in the home, so that every start prints the same ones. */

import { join } from 'node:path'
import { asMerchantId, isUuid, type MerchantId } from '../../core/base/ids.ts'
import type { Config } from '../../core/config/processes.ts'
import { openKeyLookup, rotateKey } from '../../store/access/apiKeys.ts'
import { createMerchant } from '../../store/access/merchants.ts'
import { type Database, openDatabase } from '../../store/database/database.ts'
import { StackError } from '../processes/child.ts'
import { type Home, readJson, writeSecret } from './home.ts'
import { addressOf, type DevelopmentKeys } from './keys.ts'

export type DemoMerchant = { merchantId: MerchantId; secretKey: string; publishableKey: string }

/** The stored merchant if this ledger has it, with new keys for rotated ones; otherwise a new merchant. */
export async function demoMerchant(
  home: Home,
  keys: DevelopmentKeys,
  config: Config,
): Promise<DemoMerchant> {
  const path = join(home.dir, 'merchant.json')
  const database = openDatabase(config.databaseUrl, { name: 'remit-dev', poolSize: 1 })
  try {
    const kept = merchantIn(readJson(path))
    const known = kept && (await withValidKeys(database, config, kept))
    if (known) return keep(path, known)
    const wanted = { name: 'Demo', recipient: addressOf(keys.merchant) }
    const created = await createMerchant(database, config, wanted)
    if (!created.ok) throw new StackError(`The demo merchant was refused: ${created.message}.`)
    const { merchant, secretKey, publishableKey } = created
    return keep(path, { merchantId: merchant.id, secretKey, publishableKey })
  } finally {
    await database.end()
  }
}

function keep(path: string, demo: DemoMerchant): DemoMerchant {
  writeSecret(path, `${JSON.stringify(demo, null, 2)}\n`)
  return demo
}

/** The merchant with keys that are valid in this ledger; null if the ledger doesn't have it. */
async function withValidKeys(
  database: Database,
  { environment }: Config,
  { merchantId, secretKey, publishableKey }: DemoMerchant,
): Promise<DemoMerchant | null> {
  const keys = openKeyLookup(database, environment)
  const valid = async (kind: 'secret' | 'publishable', key: string): Promise<string | null> => {
    const owner = await keys.find(key)
    const isKept = owner?.merchantId === merchantId
    return isKept ? key : await rotateKey(database, environment, merchantId, kind)
  }
  const secret = await valid('secret', secretKey)
  const publishable = await valid('publishable', publishableKey)
  if (secret === null || publishable === null) return null
  return { merchantId, secretKey: secret, publishableKey: publishable }
}

function merchantIn(value: unknown): DemoMerchant | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { merchantId, secretKey, publishableKey }: Record<string, unknown> = { ...value }
  if (typeof merchantId !== 'string' || !isUuid(merchantId)) return undefined
  if (typeof secretKey !== 'string' || typeof publishableKey !== 'string') return undefined
  return { merchantId: asMerchantId(merchantId), secretKey, publishableKey }
}
