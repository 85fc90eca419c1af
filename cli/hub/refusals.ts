import { errorIn, explainRevert } from '../../chain/hub/errors.ts'
import { durationText } from '../../core/base/duration.ts'
import { checksumAddress, type Hex, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { bytes16ToUuid } from '../../core/chain/words.ts'
import type { PowerSite } from './site.ts'

/** Error messages for a hub's refusals to owner and guardian. */
export function refusalSentence(data: Hex, { roles }: Pick<PowerSite, 'roles'>): string {
  const error = errorIn(data)
  switch (error?.errorName) {
    case 'NotOwner':
      return `only the owner ${checksumAddress(roles.owner)} may call this; the guardian can't veto its own replacement`
    case 'NotPendingOwner':
      return 'the ownership is not offered to this account: the owner must execute `hub propose transfer-ownership` first'
    case 'NotGuardian':
      return `only the guardian ${roles.guardian === ZERO_ADDRESS ? '(there is none)' : checksumAddress(roles.guardian)} and the owner ${checksumAddress(roles.owner)} may call this`
    case 'NotProposed':
      return `there is no proposal ${error.args[0]}: it was vetoed, executed, or never made; see \`hub status\``
    case 'NotReady':
      return `the proposal ${error.args[0]} can't be executed before ${timeText(error.args[1])}: try again then`
    case 'ProposalExpired':
      return `the proposal ${error.args[0]} expired at ${timeText(error.args[1])}: propose it again`
    case 'NoChangePends':
      return `no change of merchant ${bytes16ToUuid(error.args[0])} is pending: it is active, was vetoed, or was never signed`
    case 'DelayTooLong':
      return `a delay must be at most ${durationText(error.args[1])}`
    case 'DecimalsTooMany':
      return `a token must have at most ${error.args[1]} decimals`
    case 'ZeroAddress':
      return 'the zero address can neither have a role nor receive money: use another account'
    case 'HubAsReceiver':
      return 'the hub itself must not receive money: use another account'
    case 'StaleVersion':
      return `version ${error.args[0]} must be above ${error.args[1]}, the newest version of this merchant`
    case 'TreasuryIsForwarder':
      return "a merchant's treasury can't be the forwarder that is paid out to it"
    case 'FeeRateAboveCap':
      return `the fee must be at most ${error.args[1]} hundredths of a percent`
    case 'WrongSource':
      return `tokens can only be recovered from the hub and its forwarder implementation, not from ${error.args[0]}`
    case 'NotDeployed':
      return `${error.args[0]} is not a deployed deposit address or forwarder`
    case 'TargetNotAllowed':
      return `${error.args[0]} must not be called: it is a listed token, a deposit address, a forwarder or the hub`
    case 'NotAToken':
      return `there is no contract at ${error.args[0]}`
    default:
      return `the hub would refuse it: ${explainRevert(data)}`
  }
}

/** Unix seconds as a readable time. */
export function timeText(seconds: bigint): string {
  return new Date(Number(seconds) * 1_000).toISOString()
}
