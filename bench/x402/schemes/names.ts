/** What is measured besides `exact` by EIP-3009: `upto`, `exact` by Permit2, and deposits into channels. */
export const SCHEMES = ['upto', 'permit2', 'channels'] as const
export type Scheme = (typeof SCHEMES)[number]
