/** Where a source has more variables than the compiler's older way of generating code can reach. */
interface Change {
  readonly file: string
  readonly find: string
  readonly put: string
}

/**
 * Only without the intermediate representation can each instruction be found in the sources again, and
 * without it one function has too many variables. In the copy that is measured it has four fewer, means the
 * same, and keeps its lines. A new forwarder holds no fees, so what it holds can be looked up all the same.
 */
export const SHALLOW: readonly Change[] = [
  { find: '        Token memory known = tokens[token];\n', put: '\n' },
  { find: '!known.listed', put: '!tokens[token].listed' },
  { find: 'known.decimals', put: 'tokens[token].decimals' },
  {
    find: '(address forwarder, bool deployed) = _forwarderOf(item',
    put: '(address forwarder,) = _forwarderOf(item',
  },
  { find: 'deployed ? 0 : feeHeld[forwarder][token]', put: 'feeHeld[forwarder][token]' },
  { find: '        uint256 remitted = amount - fee;\n', put: '\n' },
  {
    find: 'merchant.treasury, remitted, due, feeGas',
    put: 'merchant.treasury, amount - fee, due, feeGas',
  },
  { find: 'merchant.treasury, remitted, due);', put: 'merchant.treasury, amount - fee, due);' },
].map((change) => ({ file: 'src/Forwarders.sol', ...change }))
