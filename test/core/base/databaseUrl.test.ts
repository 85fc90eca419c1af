import { expect, test } from 'bun:test'
import { changeUrl, singleServers } from '../../../core/base/databaseUrl.ts'

const SEVERAL = 'postgres://remit:a%40b@one:5432,two:5433/ledger?target_session_attrs=primary'

test('a URL of several servers is one URL for each', () => {
  expect(singleServers(SEVERAL)).toEqual([
    'postgres://remit:a%40b@one:5432/ledger?target_session_attrs=primary',
    'postgres://remit:a%40b@two:5433/ledger?target_session_attrs=primary',
  ])
  expect(singleServers('postgresql://one/ledger')).toEqual(['postgresql://one/ledger'])
})

test.each([
  '',
  'one:5432',
  'http://one/ledger',
  'postgres://one:port/ledger',
  'postgres:///ledger',
])('%p names no server of Postgres', (text) => {
  expect(singleServers(text)).toEqual([])
  expect(changeUrl(text, () => {})).toBeNull()
})

test('what all servers share is changed at once', () => {
  const changed = changeUrl(SEVERAL, (url) => {
    url.username = 'other'
    url.password = ''
  })
  expect(changed).toBe('postgres://other@one:5432,two:5433/ledger?target_session_attrs=primary')
})
