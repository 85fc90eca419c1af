import { errorIn, explainRevert } from '../../chain/hub/errors.ts'
import { durationText } from '../../core/base/duration.ts'
import { checksumAddress, type Hex, ZERO_ADDRESS } from '../../core/chain/evm.ts'
import { bytes16ToUuid } from '../../core/chain/words.ts'
import type { PowerSite } from './site.ts'

/** Refusals of a hub to owner and guardian, each with what to do. */
export function refusalSentence(data: Hex, { roles }: Pick<PowerSite, 'roles'>): string {
  const error = errorIn(data)
  switch (error?.errorName) {
    case 'NotOwner':
      return `only the owner ${checksumAddress(roles.owner)} may do that; the guardian can't veto its own replacement`
    case 'NotPendingOwner':
      return 'the ownership is not offered to this account: the owner has to carry out `hub propose transfer-ownership` first'
    case 'NotGuardian':
      return `only the guardian ${roles.guardian === ZERO_ADDRESS ? '(there is none)' : checksumAddress(roles.guardian)} and the owner ${checksumAddress(roles.owner)} may do that`
    case 'NotProposed':
      return `there is no proposal ${error.args[0]}: it was vetoed or carried out, or never made; see \`hub status\``
    case 'NotReady':
      return `the proposal ${error.args[0]} is not ripe before ${timeText(error.args[1])}: try again then`
    case 'ProposalExpired':
      return `the proposal ${error.args[0]} could be carried out until ${timeText(error.args[1])}: propose it again`
    case 'NoChangePends':
      return `no change of merchant ${bytes16ToUuid(error.args[0])} is pending: it is active, was vetoed, or was never signed`
    case 'DelayTooLong':
      return `a delay is at most ${durationText(error.args[1])}`
    case 'DecimalsTooMany':
      return `a token has at most ${error.args[1]} decimals here`
    case 'ZeroAddress':
      return 'the zero address can hold no role and receive no money: name an account'
    case 'HubAsReceiver':
      return 'the hub holds no money: name another account'
    case 'StaleVersion':
      return `version ${error.args[0]} is not above ${error.args[1]}, the newest that the hub knows for this merchant`
    case 'TreasuryIsForwarder':
      return "a merchant's treasury can't be the forwarder that is paid out to it"
    case 'FeeRateAboveCap':
      return `the fee is at most ${error.args[1]} hundredths of a percent`
    case 'WrongSource':
      return `only the hub itself and its forwarder implementation can be recovered from, not ${error.args[0]}`
    case 'NotDeployed':
      return `${error.args[0]} is no deposit address or forwarder that is deployed`
    case 'TargetNotAllowed':
      return `${error.args[0]} may not be called: it is a listed token, a deposit address, a forwarder or the hub`
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
