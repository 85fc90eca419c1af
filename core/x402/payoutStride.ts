/**
 * Blocks whose payouts are read together while none is awaited: so far, and by the depth of a reorganisation,
 * payouts are booked later than everything else.
 */
export const PAYOUT_BLOCKS_PER_STRIDE = 500n
