import { BaseError, decodeErrorResult } from 'viem'
import { cleanText, EXCERPT_LENGTH } from '../../core/base/text.ts'
import type { Hex } from '../../core/chain/evm.ts'
import { CHANNELS_ABI } from './abi.ts'

/** Why the contract of channels, or a token under it, refuses a call, in words. */
export function explainChannelRevert(data: Hex): string {
  if (data === '0x') return 'the call was refused without a reason'
  try {
    const { errorName, args } = decodeErrorResult({ abi: CHANNELS_ABI, data })
    return errorName === 'Error' ? cleanText(String(args?.[0]), EXCERPT_LENGTH) : errorName
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    return `the call was refused with ${data.slice(0, 10)}`
  }
}
