import { expect, test } from 'bun:test'
import { diffOf, planted } from './fault.ts'
import { scan } from './operators.ts'

/** What a scan plants in a text: the operator's name and the text with the fault. */
function faultsIn(text: string): [string, string][] {
  return scan('file.ts', text).map((fault) => [fault.name, planted(text, fault)])
}

const query = (sql: string) => `const rows = await sql<{ id: string }[]>\`${sql}\``
const queriesWith = (sql: string) => faultsIn(query(sql))

test('a comparison is flipped by one', () => {
  const flipped = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' }
  for (const [operator, other] of Object.entries(flipped)) {
    expect(faultsIn(`f(a ${operator} b)`)).toEqual([['comparison', `f(a ${other} b)`]])
  }
  expect(faultsIn('f(a ===\n  b)')).toEqual([['comparison', 'f(a !==\n  b)']])
})

test('types, arrows, shifts, strings, comments, regular expressions and log lines are left alone', () => {
  for (const text of [
    'const a: Map<string, number> = new Map<string, number>()',
    'function f(): Promise<\n  A | B\n> {}',
    'const f = (a: A) => a >> 1',
    'f(\'a < b && c\', "a === b", `a < b`)',
    '// a < b && c\n/* a === b */',
    'f(/ < && /, 1)',
    "log.warn({ isLow: a < b }, 'where a and b')",
    'f(`select 1 where a = b and c`)',
  ]) {
    expect(faultsIn(text)).toEqual([])
  }
})

test('each operand of an and is dropped in its turn', () => {
  expect(faultsIn('return a && f(b, c) && !d')).toEqual([
    ['and', 'return true && f(b, c) && !d'],
    ['and', 'return a && true && !d'],
    ['and', 'return a && f(b, c) && true'],
  ])
  expect(faultsIn('const x = (a || b) && c ? d : e')).toEqual([
    ['and', 'const x = true && c ? d : e'],
    ['and', 'const x = (a || b) && true ? d : e'],
  ])
  expect(faultsIn('const x =\n  a &&\n  b\nconst y = c')).toEqual([
    ['and', 'const x =\n  true &&\n  b\nconst y = c'],
    ['and', 'const x =\n  a &&\n  true\nconst y = c'],
  ])
  expect(faultsIn('f(a ?? b, (c) => c.d?.e && g)')).toEqual([
    ['and', 'f(a ?? b, (c) => true && g)'],
    ['and', 'f(a ?? b, (c) => c.d?.e && true)'],
  ])
})

test('an operand ends with a comparison, not within it', () => {
  const operands = faultsIn('if (typeof a === b && c) {}').filter(([name]) => name === 'and')
  expect(operands.map(([, text]) => text)).toEqual([
    'if (true && c) {}',
    'if (typeof a === b && true) {}',
  ])
})

test('a guard is negated, but not a condition that only chooses', () => {
  expect(faultsIn('if (!f(x)) return null')).toEqual([['guard', 'if (!(!f(x))) return null']])
  expect(faultsIn('if (a) {\n  throw b\n}')).toEqual([['guard', 'if (!(a)) {\n  throw b\n}']])
  expect(faultsIn('if (a) continue')).toEqual([['guard', 'if (!(a)) continue']])
  expect(faultsIn('if (a) b()\nreturn c')).toEqual([])
})

test('each condition of a query is dropped in its turn', () => {
  expect(queriesWith(`update t set a = 1\n where id = \${id} and (b or c) returning id`)).toEqual([
    ['sql where', query('update t set a = 1\n where true and (b or c) returning id')],
    ['sql and', query(`update t set a = 1\n where id = \${id} and true returning id`)],
  ])
  expect(queriesWith('from t where a is distinct from b order by c')).toEqual([
    ['sql where', query('from t where true order by c')],
  ])
  expect(queriesWith("where a = 'x and y' -- and z\n")).toEqual([
    ['sql where', query('where true -- and z\n')],
  ])
})

test('a range is one condition, and a case too', () => {
  expect(queriesWith('where a between b and c and d')).toEqual([
    ['sql where', query('where true and d')],
    ['sql and', query('where a between b and c and true')],
  ])
  expect(queriesWith('where a = case when b and c then d end and e')).toEqual([
    ['sql where', query('where true and e')],
    ['sql and', query('where a = case when b and true then d end and e')],
    ['sql and', query('where a = case when b and c then d end and true')],
  ])
})

test('conditions of inner queries, aggregates and interpolated templates are found', () => {
  expect(queriesWith('sum(a) filter (where b) from t join u on c and d')).toEqual([
    ['sql where', query('sum(a) filter (where true) from t join u on c and d')],
    ['sql and', query('sum(a) filter (where b) from t join u on c and true')],
  ])
  expect(queriesWith(`where \${a ? sql\`b and c\` : d < e} limit 1`)).toEqual([
    ['sql where', query('where true limit 1')],
    ['sql and', query(`where \${a ? sql\`b and true\` : d < e} limit 1`)],
    ['comparison', query(`where \${a ? sql\`b and c\` : d <= e} limit 1`)],
  ])
})

test('a comparison of a query is flipped by one, but not its arrows', () => {
  const flipped = queriesWith("select a->>'b', c <= now() from t")
  expect(flipped).toEqual([['sql comparison', query("select a->>'b', c < now() from t")]])
})

test('faults of the same kind in one file are numbered', () => {
  const found = scan('file.ts', 'f(a < b)\nf(a < b)')
  expect(found.map(({ occurrence }) => occurrence)).toEqual([1, 2])
})

test('a change is shown with its whole lines', () => {
  const text = 'one\nif (a &&\n  b) c\ntwo'
  const [, right] = scan('file.ts', text)
  if (right === undefined) throw new Error('nothing was found')
  expect(diffOf(text, right)).toEqual({ before: 'b) c', after: 'true) c' })
})
