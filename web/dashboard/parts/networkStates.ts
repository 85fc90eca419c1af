/** How a network's state is shown. */
export const NETWORK_TONES = { well: 'good', slow: 'warn', down: 'bad' } as const
export const NETWORK_WORDS = {
  well: 'operational',
  slow: 'networkSlow',
  down: 'networkDown',
} as const
