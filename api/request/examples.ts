/** Values of all examples in the document: one merchant and one paid invoice. */

/** In the document, names are replaced by those of a chain of the deployment. */
export const EXAMPLE_CHAIN = 'base-sepolia'
export const MERCHANT_ID = '0198c1dd-11e4-7000-8000-9b6f7c2d1a30'
export const INVOICE_ID = '0198c1de-7a2f-7000-8000-5d2cb1a7e0f4'
export const TRANSACTION_ID = '0198c1e0-0c55-7000-8000-c2a1f0e4d7b9'
export const HASH = '0x3f1a5c0e9d7b2468ace013579bdf02468ace013579bdf02468ace013579bdf02'
export const TREASURY = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const PAYER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
export const USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
