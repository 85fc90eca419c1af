import type { Mutant } from './guards.ts'
import { lineOf } from './source.ts'

/** Faults that no operator plants, each at the only occurrence of its text. */
interface Entry extends Pick<Mutant, 'file' | 'find' | 'put'> {
  readonly name: string
}

export const TABLE: readonly Entry[] = [
  {
    name: 'an owed fee replaces the one before',
    file: 'src/Deposits.sol',
    find: 'feeLeft[deposit] += fee',
    put: 'feeLeft[deposit] = fee',
  },
  {
    name: 'the reserve of a fee leg is not kept',
    file: 'src/Forwarder.sol',
    find: 'feeGas + feeGas / 63 + CALL_OVERHEAD + reserve',
    put: 'feeGas + feeGas / 63 + CALL_OVERHEAD',
  },
  {
    name: 'no EIP-150 margin for a fee leg',
    file: 'src/Forwarder.sol',
    find: 'feeGas / 63 + CALL_OVERHEAD',
    put: 'CALL_OVERHEAD',
  },
  {
    name: 'no EIP-150 margin for an item',
    file: 'src/libraries/Isolation.sol',
    find: 'gasCap / 63 + CALL_OVERHEAD',
    put: 'CALL_OVERHEAD',
  },
  {
    name: 'refunds count for three periods only',
    file: 'src/RefundLimits.sol',
    find: ' + booked[period - 3]',
    put: '',
  },
  {
    name: 'periods too short for four to cover a day',
    file: 'src/RefundLimits.sol',
    find: 'PERIOD = 8 hours',
    put: 'PERIOD = 7 hours',
  },
  {
    name: 'an announcement serves again',
    file: 'src/Forwarders.sol',
    find: 'announcedAt[merchantId] = 0;',
    put: '',
  },
  {
    name: 'a veto leaves the change pending',
    file: 'src/MerchantRegistry.sol',
    find: 'pending.readyAt = 0;',
    put: '',
  },
  {
    name: 'a pending change holds nothing up',
    file: 'src/MerchantRegistry.sol',
    find: 'merchants[config.merchantId].changing = true;',
    put: '',
  },
  {
    name: 'the guardian is replaced as quickly as any other role',
    file: 'src/Proposals.sol',
    find: 'if (replacesGuardian) delay *= GUARDIAN_DELAY_FACTOR;',
    put: '',
  },
  {
    name: 'an executed proposal serves again',
    file: 'src/Proposals.sol',
    find: 'delete _proposals[id];\n        emit ProposalExecuted(id);',
    put: 'emit ProposalExecuted(id);',
  },
  {
    name: 'a veto of all proposals begins no new round',
    file: 'src/Proposals.sol',
    find: 'ProposalsVetoed(++_round)',
    put: 'ProposalsVetoed(_round + 1)',
  },
  {
    name: 'proposals of earlier rounds are not over',
    file: 'src/Proposals.sol',
    find: 'return isOver ? 0 : proposal.readyAt;',
    put: 'return proposal.readyAt;',
  },
  {
    name: 'a veto of all ends the replacement of the guardian too',
    file: 'src/Proposals.sol',
    find: ' && !proposal.replacesGuardian',
    put: '',
  },
  {
    name: 'a proposal does not note its round',
    file: 'src/Proposals.sol',
    find: 'Proposal(ripe, replacesGuardian, _round)',
    put: 'Proposal(ripe, replacesGuardian, 0)',
  },
  {
    name: 'the step of a version is measured from the active entry',
    file: 'src/MerchantRegistry.sol',
    find: 'uint256(newest) + MAX_VERSION_STEP',
    put: 'uint256(merchants[config.merchantId].version) + MAX_VERSION_STEP',
  },
  {
    name: 'every version can be signed',
    file: 'src/MerchantRegistry.sol',
    find: 'MAX_SIGNED_VERSION = 2 ** 30 - 1',
    put: 'MAX_SIGNED_VERSION = type(uint32).max',
  },
]

/** The table's faults in one source; throws when a text is not there exactly once. */
export function tableMutants(file: string, text: string): Mutant[] {
  return TABLE.filter((entry) => entry.file === file).map(({ find, put, name }) => {
    const start = text.indexOf(find)
    if (start < 0 || text.includes(find, start + 1)) {
      throw new Error(`The table of faults expects "${find}" once in ${file} ("${name}").`)
    }
    return { file, line: lineOf(text, start), kind: 'table' as const, start, find, put }
  })
}
