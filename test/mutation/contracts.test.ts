import { expect, test } from 'bun:test'
import { EQUIVALENTS } from '../../contracts/mutation/equivalents.ts'
import { mutantsOf } from '../../contracts/mutation/guards.ts'
import { allMutants } from '../../contracts/mutation/run.ts'
import { TABLE, tableMutants } from '../../contracts/mutation/table.ts'

/** What takes the guards of the contracts away, and that what is listed by hand still stands there. */

const SOURCE = `contract Example {
  // if (inAComment) revert Never();
  function f(uint256 a, uint256 b) external onlyOwner returns (uint256) {
    if (a < b || a == 7) revert Small(a, "if (x) revert");
    if (a > 9) {
      return 0;
    }
    if (a == 8) b = 1;
    _requireReceiver(msg.sender);
    require(b <= a, "too much");
    assembly { if iszero(b) { revert(0, 0) } }
    return a;
  }
}`

test('every guard of a source is found, in every way in which it can be missing', () => {
  const found = mutantsOf('Example.sol', SOURCE).map(({ line, kind, find, put }) => {
    return [line, kind, find, put]
  })
  expect(found).toEqual([
    [3, 'modifier', 'onlyOwner', ''],
    [4, 'guard', 'a < b || a == 7', 'false'],
    [4, 'operand', 'a < b', 'false'],
    [4, 'boundary', '<', '<='],
    [4, 'operand', 'a == 7', 'false'],
    [5, 'guard', 'a > 9', 'false'],
    [5, 'boundary', '>', '>='],
    [9, 'check', '_requireReceiver(msg.sender);', ''],
    [10, 'guard', 'b <= a', 'true'],
    [11, 'guard', 'iszero(b)', '0'],
  ])
})

test('what is listed by hand still stands in the sources', async () => {
  const mutants = await allMutants()
  const names = new Set(mutants.filter(({ kind }) => kind === 'table').map(({ find }) => find))
  expect(names).toEqual(new Set(TABLE.map(({ find }) => find)))
  for (const { file, kind, find } of EQUIVALENTS) {
    expect(
      mutants.filter((one) => one.file === file && one.kind === kind && one.find === find),
    ).toHaveLength(1)
  }
})

test('a fault that is not found says so', () => {
  const [entry] = TABLE
  if (entry === undefined) throw new Error('the table is empty')
  expect(() => tableMutants(entry.file, 'contract Empty {}')).toThrow('expects')
})
