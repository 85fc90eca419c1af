/** The demo user: owner of the demo merchant in the dashboard. Stored in the home, like the merchant's keys. */

import { join } from 'node:path'
import { hashPassword, verifyPassword } from '../../api/dashboard/auth/passwords.ts'
import type { MerchantId } from '../../core/base/ids.ts'
import type { Config } from '../../core/config/processes.ts'
import { addVerifiedOwner, passwordHashOf } from '../../store/dashboard/demoUser.ts'
import { openDatabase } from '../../store/database/database.ts'
import { StackError } from '../processes/child.ts'
import { type Home, readJson, writeSecret } from './home.ts'

export type DemoUser = {
  email: string
  /** Null once changed in the dashboard. */
  password: string | null
}

const EMAIL = 'demo@example.com'
const PASSWORD_BYTES = 15

/** @throws StackError in live: a user with a printed password is for sandboxes only. */
export async function demoUser(
  home: Home,
  config: Config,
  merchantId: MerchantId,
): Promise<DemoUser> {
  if (config.environment !== 'sandbox') {
    throw new StackError('The demo user exists in the sandbox only.')
  }
  const path = join(home.dir, 'person.json')
  const kept = passwordIn(readJson(path))
  const database = openDatabase(config.databaseUrl, { name: 'remit-dev', poolSize: 1 })
  try {
    const known = await passwordHashOf(database, EMAIL)
    const password = kept ?? newPassword()
    const passwordHash = known === null ? await hashPassword(password) : known.hash
    await addVerifiedOwner(database, { email: EMAIL, name: 'Demo', passwordHash, merchantId })
    writeSecret(path, `${JSON.stringify({ email: EMAIL, password }, null, 2)}\n`)
    const isOurs = passwordHash !== null && (await verifyPassword({ hash: passwordHash, password }))
    return { email: EMAIL, password: isOurs ? password : null }
  } finally {
    await database.end()
  }
}

function newPassword(): string {
  return crypto
    .getRandomValues(new Uint8Array(PASSWORD_BYTES))
    .toBase64({ alphabet: 'base64url', omitPadding: true })
}

function passwordIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('password' in value)) return null
  return typeof value.password === 'string' ? value.password : null
}
