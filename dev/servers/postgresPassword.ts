/**
 * The password of the embedded PostgreSQL, stored next to its data. Without it, every user of the machine
 * could read and change the ledger over loopback.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Only TCP from this machine, with a password. */
const RULES = 'host all all 127.0.0.1/32 scram-sha-256\n'

/**
 * Makes a stopped server require the password in the file, and returns it. New servers, and
 * servers of earlier versions that trusted every client, get a new one. `single` executes a statement in
 * single-user mode.
 */
export async function requirePassword(
  dataDir: string,
  passwordFile: string,
  user: string,
  single: (statement: string) => Promise<void>,
): Promise<string> {
  const rules = join(dataDir, 'pg_hba.conf')
  const isKnown = existsSync(passwordFile)
  const password = isKnown ? readFileSync(passwordFile, 'utf8').trim() : newPassword()
  if (isKnown && readFileSync(rules, 'utf8') === RULES) return password
  // The file is written first: after a crash, the next start continues from it.
  mkdirSync(dirname(passwordFile), { recursive: true })
  writeFileSync(`${passwordFile}.new`, `${password}\n`, { mode: 0o600 })
  renameSync(`${passwordFile}.new`, passwordFile)
  await single(`alter role ${user} password '${password}'`)
  writeFileSync(rules, RULES)
  return password
}

function newPassword(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toHex()
}
