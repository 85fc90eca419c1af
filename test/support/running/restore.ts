import { expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../../dev/servers/postgres.ts'
import { openHome } from '../../../dev/stack/home.ts'
import { openDatabase } from '../../../store/database/database.ts'
import { createInvoice, eventually, expectReconciled, getInvoice } from '../servers/devStack.ts'
import { withStackDatabase } from '../servers/stackDatabase.ts'
import { openPayer } from '../x402/payer.ts'
import { running, startRunning } from './stack.ts'

/**
 * The restore drill: a backup of the running database, its log archived all along, a disaster, and a
 * restore to the moment before. It ends with a clean `reconcile`, nothing paid twice, and a payment on what
 * was restored. docs/backups.md does the same with pgBackRest.
 */

/** The ledger always is a little behind the heads. */
const BLOCKS_BEHIND = 10

interface Files {
  readonly data: string
  readonly archive: string
  readonly backup: string
}

const filesOf = (home: string): Files => ({
  data: join(home, 'postgres/data'),
  archive: join(home, 'archive'),
  backup: join(home, 'backup'),
})

/** On a stack that nothing else has used, whose database has archived its log from its first start on. */
export function restoring(): void {
  test('a database that was lost is restored to the moment before, and the books balance', async () => {
    const files = filesOf(running().home)
    await payAnInvoice()
    await backUp(files)
    await payAnInvoice()
    await settled()
    const before = await books()
    const moment = await now()

    await disaster()
    await running().killEverything()
    const started = performance.now()
    restore(files, moment)
    const stack = await startRunning()
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`restored and ready after ${seconds} s`)

    expect(await books()).toEqual(before)
    // Workers have the blocks to follow that were mined meanwhile.
    await expectReconciled(stack, 60)
    await payAnInvoice()
    await settled()
    await expectReconciled(stack)
  }, 600_000)
}

/** Waits until the merchant has been paid. */
async function payAnInvoice(): Promise<void> {
  const stack = running()
  const payer = await openPayer(stack.description, 'base-sepolia')
  const { id, addresses } = await createInvoice(stack, { tokenSymbol: 'USDC', amountExpected: '2' })
  await payer.send(addresses[0]?.address ?? '', '2')
  await eventually(
    () => getInvoice(stack, id),
    ({ status }) => status === 'completed',
  )
}

/** Prepares the server that the stack then starts: what it is told here needs a start to be so. */
export async function archiveFromNowOn(home: string): Promise<void> {
  const { archive } = filesOf(home)
  mkdirSync(archive)
  mustRun('chmod', '777', archive)
  const { postgres: dataDir, postgresPassword: passwordFile } = openHome(home, '.')
  const server = await startPostgres({ dataDir, passwordFile, port: 0 })
  const sql = openDatabase(server.url, { name: 'test', poolSize: 1 })
  await sql`alter system set archive_mode = on`
  await sql.unsafe(`alter system set archive_command = 'cp %p ${archive}/%f'`)
  await sql.end()
  await server.stop()
}

/** What pg_basebackup does, whose program the embedded server lacks. */
function backUp({ data, backup }: Files): Promise<void> {
  return withStackDatabase(running(), async (sql) => {
    await sql`select pg_backup_start('drill', true)`
    // Files that vanish meanwhile are none that the backup needs.
    Bun.spawnSync(['cp', '-a', data, backup])
    const [label] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop()`
    rmSync(join(backup, 'postmaster.pid'))
    mustRun('sh', '-c', `rm -f '${backup}'/pg_wal/0*`)
    writeFileSync(join(backup, 'backup_label'), label?.labelfile ?? '')
  })
}

/**
 * Until nothing waits to be sent, mined or confirmed, and the ledger has followed every chain: an indexer that was
 * restarted reads again what is not final. What becomes final later changes nothing that is compared.
 */
async function settled(): Promise<void> {
  await withStackDatabase(running(), async (sql) => {
    const isOpen = async () => {
      const rows = await sql`
        select 1 from relayer_tx where state = 'signed'
        union all select 1 from work_item where state in ('queued', 'assigned')
        union all select 1 from chain_head h
        join chain_state s using (network_id)
        join indexed._ponder_checkpoint c on c.chain_name = h.network_id
        where least(s.projected_block, substring(c.latest_checkpoint from 27 for 16)::bigint)
          < h.number - ${BLOCKS_BEHIND}
        limit 1`
      return rows.length > 0
    }
    while (await isOpen()) await Bun.sleep(200)
  })
}

function books(): Promise<unknown> {
  return withStackDatabase(running(), async (sql) => [
    ...(await sql`
      select id, status, received_amount, amount_remitted, platform_fee from invoice order by id`),
    ...(await sql`select id, amount, status from payment order by id`),
    ...(await sql`select network_id, account_nonce, mined_hash from relayer_tx order by 1, 2`),
  ])
}

/** A little later than everything that was committed, by the server's own clock. */
function now(): Promise<string> {
  return withStackDatabase(running(), async (sql) => {
    await sql`select pg_sleep(0.2)`
    const [row] = await sql<{ moment: string }[]>`select now()::text as moment`
    await sql`select pg_sleep(0.2)`
    return row?.moment ?? ''
  })
}

function disaster(): Promise<unknown> {
  return withStackDatabase(running(), async (sql) => {
    await sql`drop table payment cascade`
    const [row] = await sql<{ name: string }[]>`select pg_walfile_name(pg_switch_wal()) as name`
    const last = row?.name ?? ''
    const isArchived = async () => {
      const [seen] = await sql<{ isThere: boolean }[]>`
        select last_archived_wal collate "C" >= ${last} as is_there from pg_stat_archiver`
      return seen?.isThere === true
    }
    while (!(await isArchived())) await Bun.sleep(100)
  })
}

/** The base backup in the place of what was lost, and where its log is archived. */
function restore({ data, archive, backup }: Files, moment: string): void {
  // What is left of the killed server may still remove files itself.
  rmSync(data, { recursive: true, force: true })
  mustRun('cp', '-a', backup, data)
  const settings = [
    `restore_command = 'cp ${archive}/%f %p'`,
    `recovery_target_time = '${moment}'`,
    "recovery_target_action = 'promote'",
    // No one is let in before the restore is over.
    'hot_standby = off',
  ]
  appendFileSync(join(data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`)
  writeFileSync(join(data, 'recovery.signal'), '')
  mustRun('chown', '--reference', data, join(data, 'recovery.signal'), join(data, 'backup_label'))
}

function mustRun(...command: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([...command])
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr.toString()}`)
}
