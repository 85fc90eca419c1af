/** The demo merchant: made once, its keys kept in the home so that every start shows the same. */

import { join } from 'node:path'
import type { Config } from '../../core/config/processes.ts'
import { asMerchantId, isUuid, type MerchantId } from '../../core/ids.ts'
import { type Database, openDatabase } from '../../store/database.ts'
import { openKeyLookup } from '../../store/merchant/apiKeys.ts'
import { createMerchant } from '../../store/merchant/merchants.ts'
import { StackError } from '../processes/child.ts'
import { type Home, readJson, writeSecret } from './home.ts'
import { addressOf, type DevelopmentKeys } from './keys.ts'

export type DemoMerchant = { merchantId: MerchantId; secretKey: string; publishableKey: string }

/** The kept merchant while both of its keys are valid in this ledger, else a new one. */
export async function demoMerchant(
  home: Home,
  keys: DevelopmentKeys,
  config: Config,
): Promise<DemoMerchant> {
  const path = join(home.dir, 'merchant.json')
  const database = openDatabase(config.databaseUrl, { name: 'remit-dev', poolSize: 1 })
  try {
    const kept = merchantIn(readJson(path))
    if (kept !== undefined && (await isValid(database, config, kept))) return kept
    const wanted = { name: 'Demo', recipient: addressOf(keys.merchant) }
    const created = await createMerchant(database, config, wanted)
    if (!created.ok) throw new StackError(`The demo merchant was refused: ${created.message}.`)
    const { merchant, secretKey, publishableKey } = created
    const demo = { merchantId: merchant.id, secretKey, publishableKey }
    writeSecret(path, `${JSON.stringify(demo, null, 2)}\n`)
    return demo
  } finally {
    await database.end()
  }
}

async function isValid(
  database: Database,
  { environment }: Config,
  { merchantId, secretKey, publishableKey }: DemoMerchant,
): Promise<boolean> {
  const owners = await Promise.all(
    [secretKey, publishableKey].map((key) => openKeyLookup(database, environment)(key)),
  )
  return owners.every((owner) => owner?.merchantId === merchantId)
}

function merchantIn(value: unknown): DemoMerchant | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { merchantId, secretKey, publishableKey }: Record<string, unknown> = { ...value }
  if (typeof merchantId !== 'string' || !isUuid(merchantId)) return undefined
  if (typeof secretKey !== 'string' || typeof publishableKey !== 'string') return undefined
  return { merchantId: asMerchantId(merchantId), secretKey, publishableKey }
}
