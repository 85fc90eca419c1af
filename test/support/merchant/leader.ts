import pino from 'pino'
import { openChain } from '../../../chain/rpc/client.ts'
import { openDatabase } from '../../../store/database/database.ts'
import { followRecipients } from '../../../workers/merchant/recipients.ts'
import { LedgerWork } from '../../../workers/turns/ledgerWork.ts'
import { RECIPIENT_CONFIG } from './recipients.ts'

/** A process that looks once after the recipients that merchants have asked for, as a chain's leader. */

const database = openDatabase(process.env.DATABASE_URL ?? '', { name: 'leader', poolSize: 2 })
const [chain] = RECIPIENT_CONFIG.chains
if (chain === undefined) throw new Error('no chain is switched on')
const log = pino({ level: 'silent' })
const client = openChain(chain)
const context = { database, config: RECIPIENT_CONFIG, client, work: new LedgerWork(log) }
await followRecipients(context, log)
await database.end()
