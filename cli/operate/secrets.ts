import { userInfo } from 'node:os'
import { withDataKeys } from '../../chain/signers/dataKeys.ts'
import { SignerError } from '../../chain/signers/signer.ts'
import type { Keyring } from '../../core/base/keyring.ts'
import { read } from '../../core/config/reader.ts'
import { secretKeys } from '../../core/config/secretKeys.ts'
import { keysInUse, missingKeys } from '../../store/database/inUse.ts'
import { rotateSecrets } from '../../store/database/rotate.ts'
import { addAuditEntry, addAuditOutcome } from '../../store/events/audit.ts'
import { CommandError, type CommandInput, type CommandSpec } from '../terminal/command.ts'
import { withLedger } from '../terminal/ledger.ts'
import { table } from '../terminal/output.ts'

/** The keys that encrypt secrets of webhooks and authenticators in the database. */

const secretsStatus: CommandSpec = {
  words: ['secrets', 'status'],
  about: 'Show which keys the secrets in the database are encrypted with.',
  options: {},
  examples: ['secrets status'],
  async run(input) {
    const keyring = await keyringOf(input)
    const inUse = await withLedger(input, keysInUse)
    const missing = missingKeys(inUse, keyring, null)
    const rows = inUse.map(({ kind, keyId, secrets }) => ({
      kind,
      key: keyId,
      secrets: Number(secrets),
      isCurrent: keyId === keyring.current.id,
    }))
    const text = table(
      rows,
      [
        { title: 'SECRETS OF', cell: ({ kind }) => kind },
        { title: 'KEY', cell: ({ key }) => key },
        { title: 'NUMBER', cell: ({ secrets }) => String(secrets) },
        { title: 'CURRENT', cell: ({ isCurrent }) => (isCurrent ? 'yes' : 'no') },
      ],
      'There are no secrets yet.',
    )
    const json = { current: keyring.current.id, secrets: rows, missing }
    return { json, text: [text, ...missing].join('\n'), exitCode: missing.length > 0 ? 1 : 0 }
  },
}

const secretsRotate: CommandSpec = {
  words: ['secrets', 'rotate'],
  about: 'Encrypt all secrets in the database with the first of ENCRYPTION_KEYS.',
  details: `Those that are encrypted with another key. Processes continue meanwhile,
while each of them has both keys: append the new key after the old one and restart them, move it to the front and
restart them again, run this command, and remove the old key. Repeat it if it was interrupted, or if a process was
started with the old order meanwhile: re-encrypted secrets are skipped.`,
  options: {},
  examples: ['secrets rotate', 'secrets rotate --json'],
  async run(input) {
    const keyring = await keyringOf(input)
    return await withLedger(input, async (database) => {
      const operator = userInfo().username
      // Recorded before the attempt, because its batches are committed separately.
      const entryId = await addAuditEntry(database, {
        merchantId: null,
        actor: { type: 'operator', id: operator, name: operator },
        action: 'rotateSecrets',
        objectId: keyring.current.id,
        before: null,
        after: null,
        address: null,
        agent: null,
        traceId: null,
      })
      const onBatch = (done: number) => input.say(`${done} secrets are re-encrypted`)
      const { rotated, unreadable } = await rotateSecrets(database, keyring, { onBatch })
      const status = unreadable.length > 0 ? 409 : 200
      await addAuditOutcome(database, entryId, { status, objectId: null })
      const summary = `${rotated} secrets were encrypted with the key "${keyring.current.id}"`
      return {
        json: { key: keyring.current.id, rotated, unreadable },
        text: [summary, ...unreadable].join('\n'),
        exitCode: unreadable.length > 0 ? 1 : 0,
      }
    })
  },
}

export const SECRET_COMMANDS: readonly CommandSpec[] = [secretsStatus, secretsRotate]

async function keyringOf(input: CommandInput): Promise<Keyring> {
  const variables = await withDataKeys(input.variables).catch((error: unknown) => {
    throw error instanceof SignerError ? new CommandError([error.message]) : error
  })
  const parsed = read(variables, (reader) => secretKeys(reader, reader.environment()))
  if (!parsed.ok) throw new CommandError(parsed.problems)
  return parsed.config
}
