import { expect, test } from 'bun:test'
import { RecentBlocks } from '../../indexer/transport/blockLogs.ts'

test('of a block that was read only the first transaction is remembered, however large it is', () => {
  const recent = new RecentBlocks()
  const transactions = Array.from({ length: 300 }, (_, i) => ({ hash: `0x${i}`, input: '0x' }))
  recent.keep({ hash: '0xb1', number: '0x7', logsBloom: '0x01', transactions })
  const kept = { hash: '0xb1', number: '0x7', logsBloom: '0x01' }
  expect(recent.find('0xb1')).toEqual({ ...kept, transactions: transactions.slice(0, 1) })
  recent.keep(null)
  expect(recent.find('0xb2')).toBeUndefined()
})
