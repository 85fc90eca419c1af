import { expect, test } from 'bun:test'
import { merchantRoutes } from '../../../api/dashboard/mount.ts'
import { OPERATOR_ROUTES } from '../../../api/dashboard/pages/operatorRoutes.ts'
import { SECTIONS } from '../../../api/sections.ts'
import { COMMAND_ACTIONS, SIGN_IN_EVENTS } from '../../../core/events/audit.ts'
import { actionName, linesOf, OPERATOR_ACTIONS } from '../../../web/dashboard/audit/entries.ts'
import { de } from '../../../web/messages/dashboard/de.ts'
import { createWords } from '../../../web/messages/words.ts'

/** What stands in the audit log is said in words, not by the names that programmers gave it. */

const WORDS = createWords(de, 'de')

test('whatever people, keys, operators and commands change has a name', () => {
  const changing = [...merchantRoutes(SECTIONS), ...OPERATOR_ROUTES]
    .filter(({ method }) => method !== 'GET')
    .map(({ operationId }) => operationId)
  expect(changing.length).toBeGreaterThan(45)
  const nameless = [...changing, ...COMMAND_ACTIONS].filter(
    (action) => actionName(WORDS, action) === action,
  )
  expect(nameless).toEqual([])
})

test('whatever can stand in the log of operators can be chosen there, once', () => {
  const changing = OPERATOR_ROUTES.filter(({ method }) => method !== 'GET')
  const theirs = [...changing.map(({ operationId }) => operationId), ...COMMAND_ACTIONS]
  const all = new Set<string>([...theirs, ...SIGN_IN_EVENTS])
  expect(OPERATOR_ACTIONS.toSorted()).toEqual([...all].toSorted())
})

test('a role is said in the reader’s language, in the file as well', () => {
  const nothing = { before: null, after: null, address: null, agent: null, traceId: null }
  const entry = { id: '1', at: '', actor: 'person', actorName: 'Ada', objectId: null } as const
  const of = (role: 'owner' | null) => {
    const [, line] = linesOf(WORDS, [
      { ...nothing, ...entry, action: 'createRefund', role, status: 200 },
    ])
    return line?.[3]
  }
  expect(of('owner')).toBe('Inhaber')
  expect(of(null)).toBe('')
})
