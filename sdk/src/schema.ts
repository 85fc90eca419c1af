/** Written by `bun run sdk` from the API's OpenAPI document. */

export interface paths {
    "/v1/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices
         * @description The invoices of the merchant, the newest first. Pages past the end are empty.
         */
        get: operations["listInvoices"];
        put?: never;
        /**
         * Create an invoice
         * @description Creates an invoice with one deposit address per chain. Repeating an externalRef returns 200 with the existing invoice if all parameters are the same, otherwise 409.
         */
        post: operations["createInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invoice
         * @description The invoice with all its transactions.
         */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an invoice's transactions
         * @description All payments to the invoice in the order they were detected, on one page.
         */
        get: operations["listInvoiceTransactions"];
        put?: never;
        /**
         * Submit a transaction
         * @description Records a transaction's transfers to the deposit address, in any token on any chain, even if only the balance shows them. Native coin, and tokens that only the operator lists, are recorded only this way.
         */
        post: operations["submitTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Expire an unpaid invoice
         * @description Expires the invoice now: payments in later blocks are recorded as late and not counted. Idempotent.
         */
        post: operations["expireInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/transactions/{transactionId}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a late payment
         * @description The payment is counted as if it had been received in time: it can complete the invoice, which is then settled. Idempotent.
         */
        post: operations["acceptLatePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/accept-partial": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an underpayment
         * @description Marks the invoice as paid with what was received in time and confirmed, and settles it. The platform fee is recalculated, and never higher than before. Repeating the request changes nothing.
         */
        post: operations["acceptPartialPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an invoice's refunds
         * @description All refunds of the invoice, in the order of the requests.
         */
        get: operations["listInvoiceRefunds"];
        put?: never;
        /**
         * Refund money
         * @description Refunds money that was not settled: overpayments, late payments, other tokens or coin, payments on another chain, or all of an unsettled invoice. `refund.completed` or `refund.failed` reports the result; after a failure, repeat the request with another idempotencyKey.
         */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/refunds/external": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a refund from your treasury
         * @description Records a transfer of settled money back to the payer. It is verified on the chain, counted once it is confirmed, and only once. Idempotent.
         */
        post: operations["recordExternalRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recoveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List held money
         * @description Held money, with the reason and the possible actions, the newest first. Pages past the end are empty.
         */
        get: operations["listRecoveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search invoices
         * @description By id, externalRef or reference, or their first 4 or more characters, transaction hash, deposit address, or payer: at most 20, the best matches first.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read balances
         * @description Balances of all invoices, by chain and token. Amounts of unknown tokens are null.
         */
        get: operations["listBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List prices
         * @description The prices of the merchant, the newest first. Pages past the end are empty.
         */
        get: operations["listPrices"];
        put?: never;
        /**
         * Create a price
         * @description Checkout sessions are created from prices, so that a browser with the publishable key never chooses an amount. The amount is immutable: create another price instead.
         */
        post: operations["createPrice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a price
         * @description The price.
         */
        get: operations["getPrice"];
        put?: never;
        post?: never;
        /**
         * Delete a price
         * @description It creates no new invoices. Existing ones can still be paid.
         */
        delete: operations["deletePrice"];
        options?: never;
        head?: never;
        /**
         * Change a price
         * @description Changes the given fields. Existing invoices stay as they are.
         */
        patch: operations["changePrice"];
        trace?: never;
    };
    "/v1/payment-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment links
         * @description The payment links of the merchant, the newest first. Pages past the end are empty.
         */
        get: operations["listPaymentLinks"];
        put?: never;
        /**
         * Create a payment link
         * @description A permanent URL at which any payer can pay a price, each in a session of its own. Append `/qr` for its QR code as SVG.
         */
        post: operations["createPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a payment link
         * @description The link, with its number of payments.
         */
        get: operations["getPaymentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a payment link
         * @description Changes the given fields. The price can be changed too, so printed links stay valid.
         */
        patch: operations["changePaymentLink"];
        trace?: never;
    };
    "/v1/checkout/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout session
         * @description Creates a page on which a payer pays a price or an invoice. A browser may call this with the publishable key, from the allowed origins, and only for a price. The invoice is created when the payer continues from the first view.
         */
        post: operations["createCheckoutSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a checkout session
         * @description The payer's view; no key is needed. With the ETag in If-None-Match, the response is 304 if nothing but `now` has changed.
         */
        get: operations["getCheckoutSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a checkout session
         * @description Server-sent events: `view` with the complete view and its version as id, at once and after each change. After a lost connection nothing is missed. If too many streams are open, poll the session.
         */
        get: operations["followCheckoutSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}/choice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a token
         * @description Creates the invoice and its address. Another choice before a payment is detected creates another invoice and voids the previous one; later payments to that are listed in `earlier`.
         */
        post: operations["chooseToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}/authorizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay by signature
         * @description Executes a signed transfer; the payer needs no gas. The same one again continues. Another one replaces one that was not sent.
         */
        post: operations["payBySignature"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up a transaction
         * @description Searches for a transaction, first in the ledger, then on every network. Transfers to an address of this session are recorded and counted by the usual rules.
         */
        post: operations["lookUpTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}/refund-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a refund address
         * @description For payers who pay from an exchange. It is shown to the merchant; nothing is refunded automatically. After a payment is detected, an address can be set only once.
         */
        post: operations["leaveRefundAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settings/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the checkout settings
         * @description The branding of checkout pages, and the origins that may create sessions.
         */
        get: operations["getCheckoutSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the checkout settings
         * @description Changes the given fields.
         */
        patch: operations["changeCheckoutSettings"];
        trace?: never;
    };
    "/v1/settings/checkout/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the logo
         * @description The body is the image: PNG, JPEG or WebP, at most 2048 pixels per side and 65536 bytes. Its metadata is removed.
         */
        post: operations["replaceLogo"];
        /**
         * Remove the logo
         * @description Pages then show only the name.
         */
        delete: operations["removeLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a payment
         * @description Returns whether a payment could be settled now. The status is always 200. A valid payment reserves its amount for some seconds, so that verify of the payer's other payments counts it.
         */
        post: operations["verifyPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle a payment
         * @description Executes a payment on-chain and waits for it. The status is always 200. Each payment succeeds once; later calls return `duplicate_settlement`. On `settlement_pending` repeat the call: it continues to wait and never pays twice. No key is needed.
         */
        post: operations["settlePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/supported": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List supported payment kinds
         * @description For x402 middleware, which reads it at startup.
         */
        get: operations["listX402Supported"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/discovery/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payable resources
         * @description The endpoints registered as `discoverable`, the newest first.
         */
        get: operations["listX402Resources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/discovery/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search payable resources
         * @description Resources with all words in URL, description, service, tags or tool, the newest first.
         */
        get: operations["searchX402Resources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/payments/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of a payment by its nonce
         * @description For servers that receive the same payment again: check before settling. With a secret key only payments to its merchant are found. Of several matches the newest is shown.
         *
         *     A nonce is public. Before you serve a settled payment, check that the header is signed by `payer` for your `payTo` and price, and serve each payment once.
         */
        get: operations["getX402PaymentStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments
         * @description The pay-per-request payments of the merchant, the newest first. Pages past the end are empty.
         */
        get: operations["listX402Payments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a payment
         * @description One pay-per-request payment of the merchant.
         */
        get: operations["getX402Payment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/payments/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a payment's refunds
         * @description All refunds of the payment in the order of the requests, on one page.
         */
        get: operations["listX402Refunds"];
        put?: never;
        /**
         * Refund a payment
         * @description Refunds the part of a confirmed payment that your forwarder still holds; payouts in this token wait for the refund. Refund what was paid out, or paid to your own address, yourself. `refund.completed` or `refund.failed` follows.
         */
        post: operations["createX402Refund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment channels
         * @description The newest first. Pages past the end are empty.
         */
        get: operations["listX402Channels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/channels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a payment channel
         * @description A payment channel to the merchant.
         */
        get: operations["getX402Channel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/channels/{id}/voucher": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the voucher of a channel
         * @description The highest stored voucher.
         */
        get: operations["getChannelVoucher"];
        /**
         * Store a voucher
         * @description A lower voucher than the stored one is ignored. Idempotent.
         */
        put: operations["storeChannelVoucher"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/addresses/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an own address
         * @description Payments may use it as `payTo` and are sent there in full.
         */
        post: operations["registerOwnAddress"];
        /**
         * Remove an own address
         * @description New payments to it are refused.
         */
        delete: operations["removeOwnAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List own addresses
         * @description Addresses that payments may use as `payTo`, in addition to the forwarder.
         */
        get: operations["listOwnAddresses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List endpoints
         * @description The endpoints of the merchant, deactivated ones included, the newest first. Pages past the end are empty.
         */
        get: operations["listX402Endpoints"];
        put?: never;
        /**
         * Register a protected endpoint
         * @description Register one for each route and price. The first one creates the forwarder that receives the payments. Repeating the same URL and price returns 200 with the existing endpoint, or 409 if anything else differs.
         */
        post: operations["createX402Endpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/endpoints/requirements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the payment requirements of a URL
         * @description The price of a URL, matched as described at its registration. If it has several, `requirements` is the newest and `accepts` has all. Patterns match URLs without their own price.
         */
        get: operations["findX402Requirements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an endpoint
         * @description The endpoint, whether it is active or not.
         */
        get: operations["getX402Endpoint"];
        put?: never;
        post?: never;
        /**
         * Deactivate an endpoint
         * @description Payments for it are refused from now on. Idempotent. The endpoint is kept, and PATCH can activate it again.
         */
        delete: operations["deactivateX402Endpoint"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint
         * @description Changes the given fields. A replaced price can still be paid for 300 seconds; pending payments are executed.
         */
        patch: operations["changeX402Endpoint"];
        trace?: never;
    };
    "/v1/x402/endpoints/{id}/requirements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the payment requirements of an endpoint
         * @description The price of one endpoint. A deactivated one is not found.
         */
        get: operations["getX402Requirements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description The webhook endpoints of the merchant, the newest first. Pages past the end are empty.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description New events are posted to it, signed by Standard Webhooks. A merchant has at most 16 endpoints. The secret is shown only once.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description The endpoint, without its secret.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description It receives nothing more, and its deliveries are deleted. Events are kept.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Changes the given fields. An inactive endpoint receives nothing, and its pending deliveries fail: replay them later. Pending deliveries are sent to a new URL.
         */
        patch: operations["changeWebhookEndpoint"];
        trace?: never;
    };
    "/v1/webhooks/endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an endpoint's secret
         * @description Creates a new secret, which is shown only once. For 24 hours webhooks are signed with both secrets, unless `overlap` is false: then the old one is invalid at once.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends an event of type `test` to this endpoint only, regardless of its event types. Read its delivery at `/v1/webhooks/deliveries?eventId=`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay failed deliveries
         * @description Sends all webhooks that failed since a time, or were due while it was disabled, with the same `webhook-id`. Repeat while `hasMore` is true. A host receives ten of them per second, after a burst of 60; calls are refused while ten minutes of them are pending.
         */
        post: operations["replayWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description The deliveries of the last 30 days, the newest first. Pages past the end are empty.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description The delivery with its attempts, the newest 100, and their responses.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver a webhook
         * @description Sends the event again at once, with the same `webhook-id`. A finished delivery restarts its retry schedule.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description The events of the last 30 days. Set `after` to the `nextAfter` of the previous page: no event is skipped or returned twice. Without new events the page is empty and `nextAfter` is the `after` of the request.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description The event as its webhooks deliver it, for 30 days.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settings/recipient": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the recipient
         * @description The recipient of settled money and its changes.
         */
        get: operations["getRecipient"];
        put?: never;
        /**
         * Change the recipient
         * @description Requests another address for settled money. It becomes active after a delay; every owner gets an email and can cancel it. A request by key requires an owner, or two owners if changes need an approval.
         */
        post: operations["changeRecipient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settings/recipient/changes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel a change of the recipient
         * @description Cancels a pending change.
         */
        delete: operations["cancelRecipientChange"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/transactions.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all transactions as CSV
         * @description Payments, settlements, refunds, x402 payments and payouts, one per line, in the order first seen. RFC 4180 with a header, of any length. Columns from `currency` on have the invoice's current values. New columns are added at the end. A merchant reads one report at a time.
         */
        get: operations["reportTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read daily totals
         * @description Confirmed amounts by day (UTC), chain and token. Days without any are left out. The default range is the last 30 days, the maximum 366.
         */
        get: operations["reportDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query figures by GraphQL
         * @description GraphQL over volume, fees, settlements, refunds and x402 revenue; the schema is at `/docs/graphql/schema`, a playground at `/docs/graphql`. A secret key reads its own merchant, the operator’s token all. A query may cost 200 units, and 2000 are refilled per minute. A merchant runs one query at a time.
         */
        post: operations["queryFigures"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/faucet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get test tokens
         * @description Mints tokens on a development chain. Not available in live.
         */
        post: operations["sandboxFaucet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play a scenario
         * @description Simulates actions of customers, chains and tokens on a development chain. Returns once they are mined; later effects are reported by events.
         */
        post: operations["sandboxScenario"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/utils/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the chains
         * @description The chains that this deployment serves.
         */
        get: operations["listChains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/utils/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tokens
         * @description The accepted tokens, and their contracts.
         */
        get: operations["listTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description Returns 200 while the process runs, regardless of its dependencies.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description Returns 503 if there are problems, and 200 if there are only warnings. Details require `Authorization: Bearer` with the `OPERATOR_TOKEN`.
         */
        get: operations["ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "invoice.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.created */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceCreatedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.payment_detected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.payment_detected */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoicePaymentDetectedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.payment_confirmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.payment_confirmed */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoicePaymentConfirmedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.payment_reverted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.payment_reverted */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoicePaymentRevertedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.partially_paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.partially_paid */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoicePartiallyPaidEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.paid */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoicePaidEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.overpaid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.overpaid */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceOverpaidEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.late_payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.late_payment */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceLatePaymentEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.unexpected_payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.unexpected_payment */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceUnexpectedPaymentEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.voided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.voided */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceVoidedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.expired */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceExpiredEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.completed */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceCompletedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "settlement.retrying": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** settlement.retrying */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SettlementRetryingEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "settlement.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** settlement.failed */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SettlementFailedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** refund.created */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RefundCreatedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** refund.completed */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RefundCompletedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** refund.failed */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RefundFailedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "x402.payment.settled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** x402.payment.settled */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["X402PaymentSettledEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "x402.payment.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** x402.payment.failed */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["X402PaymentFailedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "x402.channel.withdrawing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** x402.channel.withdrawing */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["X402ChannelWithdrawingEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** endpoint.disabled */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EndpointDisabledEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** test */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TestEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description EVM address with its EIP-55 checksum. */
        Address: string;
        /** @description Decimal string in the token's major unit. */
        Amount: string;
        /** @description At most 15 significant digits. */
        AmountNumber: number;
        /** @description A decimal string. */
        AmountText: string;
        /** @description The fields of every error. */
        AnyError: {
            success: components["schemas"]["Failure"];
            /** @description The message. */
            error: string;
            /** @description Stable. */
            code: string;
            docs: components["schemas"]["ErrorPage"];
            traceId: components["schemas"]["TraceId"];
        };
        /** @description The fields of every event. */
        AnyEvent: {
            /** @description The type of the event. */
            type: string;
            /** @description When it happened. */
            timestamp: components["schemas"]["Time"];
            /** @description The object of the event. */
            data: Record<string, unknown>;
        };
        ApprovalRequiredError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "approval required";
            /** @constant */
            code?: "approval_required";
        };
        /** @description One chain and token. */
        Balance: {
            /** @description The chain. */
            chain: string;
            /** @description The symbol; null if unknown. */
            asset: string | null;
            /** @description All zeros for native coin. */
            tokenAddress: string;
            /** @description Confirmed, and not part of any settlement or refund. */
            held: string | null;
            /** @description The sum of incoming, settling and refunding. */
            inFlight: string | null;
            /** @description Payments that are detected but not confirmed. */
            incoming: string | null;
            /** @description Unconfirmed settlements, fees included. */
            settling: string | null;
            /** @description Unconfirmed refunds. */
            refunding: string | null;
            /** @description Paid to recipients by confirmed settlements. */
            settled: string | null;
            /** @description Platform fees of confirmed settlements. */
            fees: string | null;
            /** @description Confirmed refunds. */
            refunded: string | null;
            /** @description Confirmed refunds that you sent from your treasury. */
            externallyRefunded: string | null;
        };
        BodyTooLargeError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "request body too large";
            /** @constant */
            code?: "body_too_large";
        };
        BudgetExceededError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "request budget exceeded";
            /** @constant */
            code?: "budget_exceeded";
        };
        /** @description A supported chain. */
        Chain: {
            /** @description The networkId. */
            id: string;
            /** @description The readable name. */
            name: string;
            /** @description The EVM chain id. */
            chainId: number;
            /** @description True on test networks. */
            isTestnet: boolean;
        };
        ChainNotLocalError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "chain not local";
            /** @constant */
            code?: "chain_not_local";
        };
        /** @description The configuration of the channel, as in its contract. */
        ChannelConfig: {
            [key: string]: unknown;
        };
        ChannelNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "channel not found";
            /** @constant */
            code?: "channel_not_found";
        };
        /** @description A server's record of a channel, in base units. */
        ChannelVoucher: {
            /** @description The highest amount that the payer has signed. */
            maxClaimableAmount: string | null;
            /** @description Its signature. */
            signature: string | null;
            /** @description The charged amount. */
            chargedCumulativeAmount: string;
            /** @description The claimed amount. */
            totalClaimed: string;
            /** @description The server's own text. */
            record: string | null;
            /** @description Grows with every change. */
            version: number;
        };
        ChannelVoucherAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["ChannelVoucher"];
        };
        /** @description The amount due in a fiat currency. */
        CheckoutFiat: {
            /** @description ISO 4217. */
            currency: string;
            /** @description In its major unit. */
            amount: string;
        };
        /** @description The payee. */
        CheckoutMerchant: {
            /** @description The merchant's name. */
            name: string;
            /** @description The path of the logo on this server. */
            logoUrl: string | null;
            /** @description The merchant's colour. */
            accent: string | null;
            /** @description Contact for payers. */
            supportEmail: string | null;
            /** @description Contact for payers. */
            supportUrl: string | null;
        };
        /** @description The amount due, and the progress of the payment. */
        CheckoutPayment: {
            /** @description The reference for support. */
            reference: string;
            /** @description The token to send. */
            tokenSymbol: string;
            /** @description The decimals of the token. */
            decimals: number;
            /** @description The amount due. */
            expected: components["schemas"]["Amount"];
            /** @description Confirmed, and received in time. */
            received: components["schemas"]["Amount"];
            /** @description Mined but not confirmed. */
            pending: components["schemas"]["Amount"];
            /** @description The remaining amount. */
            due: components["schemas"]["Amount"];
            /** @description Received above the amount due. */
            overpaid: components["schemas"]["Amount"];
            /** @description Received after the expiry. */
            late: components["schemas"]["Amount"];
            /** @description The addresses to send to, one per network. */
            addresses: components["schemas"]["PayableAddress"][];
            /** @description The received transfers, in the order detected. */
            transfers: components["schemas"]["PayerTransfer"][];
            /**
             * Format: date-time
             * @description When the payment was confirmed in full.
             */
            paidAt: string | null;
            /**
             * Format: date-time
             * @description When it was settled to the merchant.
             */
            completedAt: string | null;
        };
        /** @description A session with its page. */
        CheckoutSession: {
            /** @description Identifies the session. It is sufficient to pay. */
            id: string;
            /**
             * Format: uri
             * @description The checkout page to send the payer to.
             */
            url: string;
            /**
             * Format: date-time
             * @description When its payment window ends.
             */
            expiresAt: string | null;
            /** @description The session that it replaces. */
            formerSession: string | null;
            view: components["schemas"]["CheckoutView"];
        };
        CheckoutSessionAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["CheckoutSession"];
        };
        /** @description The settings of a merchant's checkout pages. */
        CheckoutSettings: {
            /** @description The displayed name; null for the name of the merchant. */
            name: string | null;
            /** @description The path of the logo on this server. */
            logoUrl: string | null;
            /** @description The merchant's colour. */
            accent: string | null;
            /** @description Contact for payers. */
            supportEmail: string | null;
            /** @description Contact for payers. */
            supportUrl: string | null;
            /** @description The URL that payers return to. */
            returnUrl: string | null;
            /** @description The origins that may create sessions. */
            allowedOrigins: string[];
            /** @description The default payment window, in seconds. */
            defaultExpiry: number | null;
            /** @description The languages of the pages; empty for all. */
            languages: string[];
            /** @description The default underpayment tolerance. */
            underpaymentTolerance: string;
            /**
             * Format: date-time
             * @description When they were changed last.
             */
            updatedAt: string | null;
        };
        CheckoutSettingsAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["CheckoutSettings"];
        };
        /** @description The payer's view of a session. */
        CheckoutView: {
            /** @description The session. */
            id: string;
            /** @description Grows with every change. */
            version: number;
            /**
             * @description Its state.
             * @enum {string}
             */
            state: "choosing" | "waiting" | "seen" | "partial" | "paid" | "completed" | "expired";
            merchant: components["schemas"]["CheckoutMerchant"];
            /** @description What is bought. */
            description: string | null;
            /** @description The amount due in a fiat currency. */
            fiat: components["schemas"]["CheckoutFiat"] | null;
            /** @description What the payer may choose from. */
            tokens: components["schemas"]["TokenChoice"][];
            /** @description The amount due, and the progress of the payment. */
            payment: components["schemas"]["CheckoutPayment"] | null;
            /** @description Transfers to an address that was shown before another token was chosen. */
            earlier: components["schemas"]["PayerTransfer"][];
            /** @description The submitted transaction hashes, the newest first. */
            lookups: components["schemas"]["HashLookup"][];
            /** @description The payer's newest signature. */
            authorization: components["schemas"]["PayerAuthorization"] | null;
            /** @description The payer's refund address. */
            refundAddress: string | null;
            /** @description The URL that the payer returns to. */
            returnUrl: string | null;
            /** @description The network that the payer chose last. */
            chosenNetwork: string | null;
            /** @description Where x402 clients pay; null if nothing is payable. */
            x402Url: string | null;
            /** @description Whether the page offers to start again after the end. */
            canStartAgain: boolean;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When its payment window ends.
             */
            expiresAt: string | null;
            /** @description The server's clock. */
            now: components["schemas"]["Time"];
        };
        CheckoutViewAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["CheckoutView"];
        };
        ChoiceNotPossibleError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "choice not possible";
            /** @constant */
            code?: "choice_not_possible";
        };
        ClientReferenceConflictError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "clientReference conflict";
            /** @constant */
            code?: "client_reference_conflict";
        };
        /** @description The end of the page. */
        CursorPagination: {
            /** @description The maximum number of events per page. */
            limit: number;
            /** @description True if there are more events. */
            hasMore: boolean;
            /**
             * Format: uuid
             * @description The `after` of the next page.
             */
            nextAfter: string | null;
        };
        /** @description The delivery of an event to an endpoint. */
        Delivery: {
            /**
             * Format: uuid
             * @description Identifies the delivery.
             */
            id: string;
            /**
             * Format: uuid
             * @description The endpoint.
             */
            endpointId: string;
            /**
             * Format: uuid
             * @description The event, also the `webhook-id` of every attempt.
             */
            eventId: string;
            /** @description The type of the event. */
            eventType: components["schemas"]["EventType"];
            /**
             * @description `pending` while an attempt is due, `succeeded` after a 2xx response, `failed` when no attempt is due.
             * @enum {string}
             */
            state: "pending" | "succeeded" | "failed";
            /** @description The number of attempts. */
            attemptCount: number;
            /** @description The HTTP status of the last response; null without one. */
            lastStatus: number | null;
            /** @description Why the last attempt failed, e.g. `timeout`, `redirect`, `http_500`, `tls_error`. */
            lastError: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due.
             */
            nextAttemptAt: string | null;
            /** @description When the delivery was created. */
            createdAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When it succeeded or failed.
             */
            finishedAt: string | null;
        };
        DeliveryAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Delivery"];
        };
        /** @description One attempt. */
        DeliveryAttempt: {
            /** @description Counted from 1, including redeliveries. */
            number: number;
            /** @description When it started. */
            at: components["schemas"]["Time"];
            /** @description Duration in milliseconds. */
            latencyMs: number;
            /** @description The HTTP status; null without a response. */
            status: number | null;
            /** @description The reason of a failure; null for a success. */
            error: string | null;
            /** @description The first 4 KB of the response body. */
            answer: string | null;
        };
        DeliveryNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "delivery not found";
            /** @constant */
            code?: "delivery_not_found";
        };
        /** @description A delivery with its attempts. */
        DeliveryWithAttempts: components["schemas"]["Delivery"] & {
            /** @description The newest 100, in order. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        DeliveryWithAttemptsAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["DeliveryWithAttempts"];
        };
        /** @description The deposit address on one chain. */
        DepositAddress: {
            /** @description The chain. */
            networkId: string;
            /** @description The readable name of the chain. */
            network: string;
            /** @description The same as `network`. */
            networkName: string;
            /** @description The symbol of the chain's native coin. */
            networkSymbol: string;
            /** @description The address that the payer sends to. */
            address: components["schemas"]["Address"];
            /** @description The contract of the accepted token on this chain. */
            tokenAddress: components["schemas"]["Address"];
        };
        /** @description The problems of the request. */
        Details: components["schemas"]["ErrorDetail"][];
        EndpointConflictError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "endpoint conflict";
            /** @constant */
            code?: "endpoint_conflict";
        };
        EndpointDisabledError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "endpoint disabled";
            /** @constant */
            code?: "endpoint_disabled";
        };
        /** @description A webhook endpoint answered 410, or nothing but failures for five days. */
        EndpointDisabledEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "endpoint.disabled";
            data?: components["schemas"]["WebhookEndpointEventData"];
        };
        EndpointNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "endpoint not found";
            /** @constant */
            code?: "endpoint_not_found";
        };
        /** @description A problem. */
        ErrorDetail: {
            /** @description The field, with dots between levels; empty for the whole request. */
            path: string;
            /** @description What is wrong, or what is required. */
            message: string;
        };
        /**
         * Format: uri-reference
         * @description A link to its documentation.
         */
        ErrorPage: string;
        /** @description A change of a merchant's object. */
        Event: components["schemas"]["WebhookEvent"] & {
            /**
             * Format: uuid
             * @description Identifies the event; its webhooks have it as `webhook-id`.
             */
            id: string;
        };
        EventAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Event"];
        };
        /** @description The metadata of every event. */
        EventMarks: {
            /**
             * @description Where it happened.
             * @enum {string}
             */
            environment: "sandbox" | "live";
            /** @description Increases with each event of the same object. */
            version: number;
            /** @description True in requested test events. */
            test?: boolean;
        };
        EventNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "event not found";
            /** @constant */
            code?: "event_not_found";
        };
        /**
         * @description A type.
         * @enum {string}
         */
        EventType: "invoice.created" | "invoice.payment_detected" | "invoice.payment_confirmed" | "invoice.payment_reverted" | "invoice.partially_paid" | "invoice.paid" | "invoice.overpaid" | "invoice.late_payment" | "invoice.unexpected_payment" | "invoice.voided" | "invoice.expired" | "invoice.completed" | "settlement.retrying" | "settlement.failed" | "refund.created" | "refund.completed" | "refund.failed" | "x402.payment.settled" | "x402.payment.failed" | "x402.channel.withdrawing" | "endpoint.disabled" | "test";
        /** @description An error with details. */
        ExplainedError: {
            success: components["schemas"]["Failure"];
            /** @description The message. */
            error: string;
            /** @description Stable. */
            code: string;
            docs: components["schemas"]["ErrorPage"];
            traceId: components["schemas"]["TraceId"];
            details: components["schemas"]["Details"];
        };
        ExternalRefConflictError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "externalRef conflict";
            /** @constant */
            code?: "external_ref_conflict";
        };
        /** @description A payment and its requirements. */
        FacilitatorRequest: {
            /** @description The protocol version: 1 or 2. */
            x402Version: number;
            /** @description The payment of the client: the header X-PAYMENT unchanged (base64), or the decoded object, as stock clients of x402 v1 and v2 send it. */
            paymentPayload: unknown;
            /** @description An accepted payment option, unchanged from the 402 response. v1 has the price as maxAmountRequired and the network by name. */
            paymentRequirements: Record<string, unknown>;
        };
        /**
         * @description An error.
         * @constant
         */
        Failure: false;
        /** @description A matching invoice. */
        Found: {
            /**
             * @description The field that matched.
             * @enum {string}
             */
            kind: "id" | "reference" | "external_ref" | "transaction" | "deposit_address" | "payer";
            /**
             * Format: uuid
             * @description The invoice.
             */
            invoiceId: string;
            /** @description Its reference. */
            reference: string;
            /** @description The caller's own reference. */
            externalRef: string | null;
            /**
             * @description Its status.
             * @enum {string}
             */
            status: "pending" | "partial" | "paid" | "completed";
            /** @description The amount due. */
            amountExpected: components["schemas"]["Amount"];
            /** @description Its token. */
            tokenSymbol: string;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
        };
        /** @description A transfer to the deposit address. */
        FoundTransfer: {
            /** @description Identifies the transfer in the ledger; null if it is not recorded. */
            transactionId: string | null;
            /**
             * @description The result. `unsupported_token`: submit it again once the operator lists its contract with RECOVERABLE_TOKENS.
             * @enum {string}
             */
            outcome: "recorded" | "known" | "unsupported_token";
            /** @description The index of its log in the block; null for coin and for balance changes. */
            logIndex: number | null;
            /** @description The symbol; null if unknown. */
            asset: string | null;
            /** @description All zeros for native coin. */
            tokenAddress: string;
            /** @description The sender; all zeros if unknown. */
            from: string;
            /** @description The transferred amount; null if the token is unknown. */
            amount: string | null;
            /** @description The transferred amount, in the token's smallest unit. */
            baseUnits: string;
        };
        /** @description The result of looking up a transaction hash. */
        HashLookup: {
            /** @description The transaction. */
            hash: components["schemas"]["TransactionHash"];
            /**
             * @description `payment`: for this session; `other_network`, `other_token`: the wrong money at the right address; `elsewhere`: not for this session; `looking`: not yet searched everywhere.
             * @enum {string}
             */
            verdict: "payment" | "late" | "other_network" | "other_token" | "elsewhere" | "failed" | "not_mined" | "unknown" | "looking";
            /** @description Where it was found. */
            networkName: string | null;
            /** @description The time of the lookup. */
            at: components["schemas"]["Time"];
        };
        HashLookupAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["HashLookup"];
        };
        /** @description The process. */
        Health: {
            /** @description Always `ok`. */
            status: string;
            /** @description The release that runs. */
            version: string;
        };
        HealthAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Health"];
        };
        IdempotencyKeyConflictError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "idempotencyKey conflict";
            /** @constant */
            code?: "idempotency_key_conflict";
        };
        IdempotencyKeyInFlightError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "idempotency key in flight";
            /** @constant */
            code?: "idempotency_key_in_flight";
        };
        IdempotencyKeyReusedError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "idempotency key conflict";
            /** @constant */
            code?: "idempotency_key_reused";
        };
        /** @description Status 500. */
        InternalError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "internal error";
            /** @constant */
            code?: "internal_error";
        };
        InvalidDeliveryIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid delivery id";
            /** @constant */
            code?: "invalid_delivery_id";
        };
        InvalidEndpointIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid endpoint id";
            /** @constant */
            code?: "invalid_endpoint_id";
        };
        InvalidEventIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid event id";
            /** @constant */
            code?: "invalid_event_id";
        };
        InvalidGraphqlQueryError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid GraphQL query";
            /** @constant */
            code?: "invalid_graphql_query";
        };
        InvalidInvoiceIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid invoice id";
            /** @constant */
            code?: "invalid_invoice_id";
        };
        InvalidPaymentIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid payment id";
            /** @constant */
            code?: "invalid_payment_id";
        };
        InvalidPaymentLinkIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid payment link id";
            /** @constant */
            code?: "invalid_payment_link_id";
        };
        InvalidPriceIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid price id";
            /** @constant */
            code?: "invalid_price_id";
        };
        InvalidQueryParametersError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid query parameters";
            /** @constant */
            code?: "invalid_query_parameters";
        };
        InvalidRecipientError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid recipient address";
            /** @constant */
            code?: "invalid_recipient";
        };
        InvalidRefundAddressError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid refund address";
            /** @constant */
            code?: "invalid_refund_address";
        };
        InvalidRequestBodyError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid request body";
            /** @constant */
            code?: "invalid_request_body";
        };
        InvalidTransactionIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid transaction id";
            /** @constant */
            code?: "invalid_transaction_id";
        };
        /** @description An invoice. */
        Invoice: components["schemas"]["InvoiceRecord"] & {
            /**
             * Format: uri
             * @description Its checkout page.
             */
            checkoutUrl: string;
            /** @description Where x402 clients pay; null if nothing is payable. */
            x402Url: string | null;
        };
        InvoiceAlreadyPaidError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invoice already paid";
            /** @constant */
            code?: "invoice_already_paid";
        };
        InvoiceAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Invoice"];
        };
        /** @description Everything received on time was paid out to the merchant, minus the fee. */
        InvoiceCompletedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.completed";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description An invoice was created. */
        InvoiceCreatedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.created";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description The invoice at the time of the event. Of very many transactions, settlements, refunds and other deposits it has the newest. */
        InvoiceEventData: components["schemas"]["InvoiceRecord"] & {
            /** @description All transactions of the invoice, including omitted ones. */
            transactionCount?: number;
        } & components["schemas"]["EventMarks"];
        /** @description The invoice expired on every chain without being paid. */
        InvoiceExpiredEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.expired";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description The conversion; null for an amount in the token. */
        InvoiceFiat: {
            /** @description ISO 4217. */
            currency: string;
            /** @description The requested amount, in its major unit. */
            amount: string;
            /** @description The price of one unit of the currency in the token. */
            rate: string;
            /** @description The time of the rate. */
            at: components["schemas"]["Time"];
            /** @description The source of the rate; `fixed` for the currency that the token represents. */
            source: string;
        };
        /** @description A payment was received after the expiry; it is recorded and not counted. */
        InvoiceLatePaymentEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.late_payment";
            data?: components["schemas"]["InvoiceEventData"];
        };
        InvoiceNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "invoice not found";
            /** @constant */
            code?: "invoice_not_found";
        };
        /** @description More than the amount due is confirmed. */
        InvoiceOverpaidEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.overpaid";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description The whole amount due is confirmed. */
        InvoicePaidEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.paid";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description A part of the amount due is confirmed. */
        InvoicePartiallyPaidEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.partially_paid";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description A payment has the chain's confirmations; a late one is reported only once it is accepted. */
        InvoicePaymentConfirmedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.payment_confirmed";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description A payment was detected on-chain and awaits confirmations. */
        InvoicePaymentDetectedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.payment_detected";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description A reorganisation of the chain removed a detected payment. */
        InvoicePaymentRevertedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.payment_reverted";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description The recorded state of an invoice. */
        InvoiceRecord: {
            /**
             * Format: uuid
             * @description Identifies the invoice.
             */
            id: string;
            /**
             * Format: uuid
             * @description The merchant who owns the invoice.
             */
            merchantId: string;
            /** @description The caller's own reference and idempotency key. */
            externalRef: string | null;
            /** @description A short reference of ten characters that is safe to share with customers. */
            reference: string;
            /** @description One deposit address for each chain of the invoice. */
            addresses: components["schemas"]["DepositAddress"][];
            /** @description Receives the settled funds; null while none is configured. */
            recipient: components["schemas"]["Recipient"] | null;
            /** @description The accepted token on targetNetwork, else on the first chain. */
            tokenAddress: components["schemas"]["Address"];
            /** @description The ticker of the accepted token. */
            tokenSymbol: string;
            /** @description The chain of the first payment; null before it. */
            targetNetwork: string | null;
            /** @description The amount due. */
            amountExpected: components["schemas"]["Amount"];
            /** @description The conversion; null for an amount in the token. */
            fiat: components["schemas"]["InvoiceFiat"] | null;
            /** @description The amount that you accepted as paid; null if you did not. */
            acceptedAmount: string | null;
            /** @description The detected, unconfirmed amount; null if there is none. */
            pendingAmount: string | null;
            /** @description Confirmed, and received in time. */
            receivedAmount: components["schemas"]["Amount"];
            /** @description Received after the expiry; not part of receivedAmount. */
            lateAmount: components["schemas"]["Amount"];
            /** @description Refunded in the invoice's token. */
            refundedAmount: components["schemas"]["Amount"];
            /** @description The platform fee, charged once at settlement. */
            platformFee: components["schemas"]["Amount"];
            /** @description Settled to the recipient so far. */
            amountRemitted: components["schemas"]["Amount"];
            /** @description Received above amountExpected. */
            overpaidAmount: components["schemas"]["Amount"];
            /** @description The overpaid amount that was settled to your treasury; null if there is none. */
            settledOverpayment: components["schemas"]["SettledOverpayment"] | null;
            /** @description The underpayment tolerance. */
            underpaymentTolerance: components["schemas"]["Amount"];
            /** @description The tolerated underpayment of a paid invoice. */
            toleratedAmount: components["schemas"]["Amount"];
            /**
             * @description The status.
             * @enum {string}
             */
            status: "pending" | "partial" | "paid" | "completed";
            /** @description True if the invoice is unpaid and its payment window is over. */
            expired: boolean;
            /**
             * @description Why a paid invoice is not settled yet. `retrying`: sending failed and is retried; `failed`: it is retried with long pauses.
             * @enum {string}
             */
            settlementState: "none" | "due" | "screening" | "no_recipient" | "below_gas_threshold" | "retrying" | "failed";
            /** @description Why the last settlement failed: the chain's error. */
            settlementError: string | null;
            /**
             * Format: date-time
             * @description Payments in later blocks are late.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the merchant expired the invoice.
             */
            closedAt: string | null;
            /** @description The payer's refund address, as entered on the page. Not used by refunds with an API key. */
            payerRefundAddress: components["schemas"]["Address"] | null;
            /** @description When the invoice was created. */
            createdAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When it was paid in full.
             */
            paidAt: string | null;
            /**
             * Format: date-time
             * @description When it was settled in full.
             */
            completedAt: string | null;
            /** @description The metadata set at creation. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The payments, in the order they were detected. */
            transactions: components["schemas"]["Transaction"][];
            /** @description The settlements. */
            settlements: components["schemas"]["Settlement"][];
            /** @description The refunds, in the order of the requests. */
            refunds: components["schemas"]["Refund"][];
            /** @description Other tokens at the address. */
            otherDeposits: components["schemas"]["OtherDeposit"][];
        };
        /** @description Another token, native coin or money on another chain is confirmed and held, in `otherDeposits`. */
        InvoiceUnexpectedPaymentEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.unexpected_payment";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description The invoice was voided; later payments count as late. */
        InvoiceVoidedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.voided";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /**
         * Format: uuid
         * @description The merchant.
         */
        MerchantId: string;
        /** @description A network to pay on. */
        NetworkChoice: {
            /** @description The chain. */
            networkId: string;
            /** @description Its name. */
            name: string;
            /**
             * @description `slow` when blocks, or our reads of them, are late.
             * @enum {string}
             */
            health: "ok" | "slow";
            /** @description The usual seconds until confirmation. */
            usualSeconds: number;
            /** @description The usual network fee in dollars; null on test networks. */
            usualFeeUsd: string | null;
        };
        NoSupportedChainsError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "no supported chains for token";
            /** @constant */
            code?: "no_supported_chains";
        };
        NothingReceivedError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "nothing received";
            /** @constant */
            code?: "nothing_received";
        };
        /** @description Status 503. */
        NotReadyError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "service unavailable";
            /** @constant */
            code?: "service_unavailable";
        } & {
            /** @description Problems that prevent payments, settlements or webhooks. */
            problems?: string[];
            /** @description What becomes a problem unless an operator intervenes. */
            warnings?: string[];
        };
        OriginNotAllowedError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "origin not allowed";
            /** @constant */
            code?: "origin_not_allowed";
        };
        /** @description Tokens at the deposit address that are not counted. */
        OtherDeposit: {
            /**
             * Format: uuid
             * @description Identifies the transfer.
             */
            id: string;
            /** @description The hash of the on-chain transaction. */
            txHash: components["schemas"]["TransactionHash"];
            /** @description The chain; it may be one that the invoice does not offer. */
            chain: string;
            /** @description The symbol; null if unknown. */
            asset: string | null;
            /** @description All zeros for native coin. */
            tokenAddress: components["schemas"]["Address"];
            /** @description The sender. */
            from: components["schemas"]["Address"];
            /** @description The transferred amount; null if the token is unknown. */
            amount: string | null;
            /** @description The transferred amount, in the token's smallest unit. */
            baseUnits: string;
            /** @description The refunded part. */
            refundedBaseUnits: string;
            /** @description The part of pending refunds. */
            refundingBaseUnits: string;
            /**
             * @description The confirmation status.
             * @enum {string}
             */
            status: "pending" | "confirmed" | "reverted";
            /** @description The number of its block. */
            blockNumber: number;
            /** @description When it was detected. */
            createdAt: components["schemas"]["Time"];
        };
        /** @description An address of your own. */
        OwnAddress: {
            /** @description The address. */
            address: components["schemas"]["Address"];
            /** @description The only chain on which it is yours; null for all. */
            network: string | null;
            /** @description When it was registered. */
            createdAt: components["schemas"]["Time"];
        };
        OwnAddressAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["OwnAddress"];
        };
        OwnerMissingError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "owner missing";
            /** @constant */
            code?: "owner_missing";
        };
        /** @description The envelope of a list. */
        PageAnswer: {
            success: components["schemas"]["Success"];
            metadata: components["schemas"]["PageMetadata"];
        };
        /** @description The cursors of a page. */
        PageCursors: {
            /** @description The maximum number of elements per page. */
            limit: number;
            /** @description The `after` of the next page; null at the end. */
            next: string | null;
            /** @description The `before` of the previous page; null at the start. */
            previous: string | null;
        };
        /** @description The metadata of the list. */
        PageMetadata: {
            /** @description The position of the page. */
            pagination: components["schemas"]["Pagination"] | components["schemas"]["PageCursors"];
        };
        /** @description The position of the page in the list. */
        Pagination: {
            /** @description The page, counted from 1. */
            page: number;
            /** @description The maximum number of elements per page. */
            limit: number;
            /** @description The number of matching elements on all pages. */
            total: number;
            /** @description The number of pages; 0 without matches. */
            totalPages: number;
        };
        /** @description Where to send on one network. */
        PayableAddress: {
            /** @description The chain. */
            networkId: string;
            /** @description Its name. */
            name: string;
            /** @description The EVM chain id. */
            chainId: number;
            /** @description The symbol of the chain's coin. */
            coinSymbol: string;
            /** @description A public RPC URL for wallets. */
            publicRpc: string;
            /** @description The address to send to. */
            address: components["schemas"]["Address"];
            /** @description The contract of the token. */
            tokenAddress: components["schemas"]["Address"];
            /** @description The base of the chain's explorer. */
            explorer: string;
            /** @description What to sign (EIP-3009); null where none is accepted. */
            signature: components["schemas"]["SignatureTerms"] | null;
        };
        /** @description The payer's newest signature. */
        PayerAuthorization: {
            /**
             * @description `refused`, `expired`: nothing was sent.
             * @enum {string}
             */
            status: "received" | "sent" | "settled" | "failed" | "expired" | "replaced" | "refused";
            /**
             * @description How it was sent.
             * @enum {string}
             */
            method: "signature" | "x402";
            /** @description The chain. */
            networkId: string;
            /** @description The payer. */
            payer: components["schemas"]["Address"];
            /** @description The amount. */
            amount: string;
            /** @description Null until it is sent. */
            transaction: components["schemas"]["TransactionHash"] | null;
            /** @description Why it was refused or failed. */
            reason: string | null;
            /** @description When it was received. */
            at: components["schemas"]["Time"];
        };
        PayerAuthorizationAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["PayerAuthorization"];
        };
        /** @description A received transfer. */
        PayerTransfer: {
            /** @description The chain. */
            networkId: string;
            /** @description Its name. */
            networkName: string;
            /** @description The ticker of the token. */
            tokenSymbol: string;
            /** @description The amount. */
            amount: string;
            /** @description The part in pending refunds. */
            returning: string;
            /** @description The refunded part. */
            returned: string;
            /** @description The transaction. */
            hash: components["schemas"]["TransactionHash"];
            /** @description The sender. */
            sender: components["schemas"]["Address"] | null;
            /** @description Its page on the explorer. */
            explorerUrl: string;
            /**
             * @description The confirmation status.
             * @enum {string}
             */
            status: "pending" | "confirmed" | "reverted";
            /**
             * @description `late`: after the expiry; `other`: another token or network, which is not counted.
             * @enum {string}
             */
            kind: "counted" | "late" | "other";
            /** @description The number of confirmations, its own block included. */
            confirmations: number;
            /** @description The required number of confirmations. */
            confirmationsNeeded: number;
            /** @description The time of its block. */
            at: components["schemas"]["Time"];
        };
        /** @description A permanent URL to pay a price at. */
        PaymentLink: {
            /**
             * Format: uuid
             * @description Identifies the link.
             */
            id: string;
            /**
             * Format: uri
             * @description The URL to send or print.
             */
            url: string;
            /**
             * Format: uuid
             * @description The price.
             */
            price: string;
            /** @description The maximum number of payments; null for unlimited. */
            usesLimit: number | null;
            /** @description The number of payments. */
            uses: number;
            /**
             * Format: date-time
             * @description When it stops accepting payers.
             */
            endsAt: string | null;
            /** @description False when deactivated. */
            active: boolean;
            /** @description Whether it accepts payers now. */
            open: boolean;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /** @description When it was changed last. */
            updatedAt: components["schemas"]["Time"];
        };
        PaymentLinkAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["PaymentLink"];
        };
        PaymentLinkNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "payment link not found";
            /** @constant */
            code?: "payment_link_not_found";
        };
        PaymentNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "payment not found";
            /** @constant */
            code?: "payment_not_found";
        };
        /** @description The content of a 402 body. */
        PaymentRequired: {
            /** @description The version for the 402 body, verify and settle. */
            x402Version: number;
            requirements: components["schemas"]["PaymentRequirements"];
            /** @description All payable prices, the newest first. */
            accepts: components["schemas"]["PaymentRequirements"][];
        };
        PaymentRequiredAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["PaymentRequired"];
        };
        /** @description An accepted payment option: put it into the 402 body, and send it back unchanged. */
        PaymentRequirements: {
            /**
             * @description The scheme, always `exact`.
             * @enum {string}
             */
            scheme: "exact";
            /** @description The chain (CAIP-2). */
            network: string;
            /** @description The price in the token's smallest unit. */
            amount: string;
            /** @description The token's contract. */
            asset: components["schemas"]["Address"];
            /** @description The forwarder that receives the payment. */
            payTo: components["schemas"]["Address"];
            /** @description The validity period of the signature, in seconds. */
            maxTimeoutSeconds: number;
            extra: components["schemas"]["PaymentRequirementsExtra"];
            /** @description The description of the endpoint. */
            description: string;
        };
        /** @description Parameters for signing, and the ids of the price. */
        PaymentRequirementsExtra: {
            /** @description The name in the token's EIP-712 domain. */
            name: string;
            /** @description The version in that domain. */
            version: string;
            merchantId: components["schemas"]["MerchantId"];
            /**
             * Format: uuid
             * @description The endpoint.
             */
            endpointId: string;
        };
        /** @description Prices, payment links and sessions. */
        Price: {
            /**
             * Format: uuid
             * @description Identifies the price. Not a secret.
             */
            id: string;
            /** @description The amount due, in any of the tokens or in the currency. */
            amount: components["schemas"]["Amount"];
            /** @description The currency of the amount (ISO 4217); null if it is in tokens. */
            currency: string | null;
            /** @description The tokens that the payer may choose from. */
            tokens: string[];
            /** @description The offered chains; empty for all. */
            chains: string[];
            /** @description What is bought, as the payer reads it. */
            description: string | null;
            /** @description The payment window of a session, in seconds; null for the merchant's default. */
            expiresAfter: number | null;
            /** @description Copied to the metadata of every invoice of the price. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description False for a price that can be paid once. */
            reusable: boolean;
            /** @description The underpayment tolerance; null for the merchant's default. */
            underpaymentTolerance: string | null;
            /** @description False when deactivated: it creates no new invoices. */
            active: boolean;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /** @description When it was changed last. */
            updatedAt: components["schemas"]["Time"];
        };
        PriceAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Price"];
        };
        PriceNotActiveError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "price not active";
            /** @constant */
            code?: "price_not_active";
        };
        PriceNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "price not found";
            /** @constant */
            code?: "price_not_found";
        };
        /** @description Status 503. */
        RateUnavailableError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "exchange rate unavailable";
            /** @constant */
            code?: "rate_unavailable";
        };
        /** @description The system. */
        Readiness: {
            /** @description Always `ready`. */
            status: string;
            /** @description Problems that prevent payments, settlements or webhooks. */
            problems?: string[];
            /** @description What becomes a problem unless an operator intervenes. */
            warnings?: string[];
            x402?: components["schemas"]["UndecidedPayments"];
        };
        ReadinessAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Readiness"];
        };
        /** @description Receives the settled funds; null while none is configured. */
        Recipient: {
            /**
             * @description The kind of chain, always `evm`.
             * @enum {string}
             */
            chainType: "evm";
            /** @description The treasury. */
            address: components["schemas"]["Address"];
        };
        /** @description A change of the recipient. */
        RecipientChange: {
            /**
             * Format: uuid
             * @description The change.
             */
            id: string;
            /** @description The new address. */
            recipient: components["schemas"]["Address"];
            /** @description The recipient at the time of the request. */
            replaces: components["schemas"]["Address"] | null;
            /**
             * @description Its status. It can be cancelled while `waiting`.
             * @enum {string}
             */
            status: "needs_approval" | "waiting" | "in_force" | "cancelled" | "refused" | "expired" | "replaced" | "impossible";
            /** @description The requester. */
            requestedBy: string;
            /** @description When. */
            requestedAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When it becomes active; null while it awaits approval.
             */
            inForceAt: string | null;
            /**
             * Format: date-time
             * @description When it became active or was cancelled.
             */
            endedAt: string | null;
            /** @description The actor or the reason that cancelled it. */
            endedBy: string | null;
        };
        RecipientChangeAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["RecipientChange"];
        };
        RecipientChangeNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "recipient change not found";
            /** @constant */
            code?: "recipient_change_not_found";
        };
        RecipientChangeOpenError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "recipient change open";
            /** @constant */
            code?: "recipient_change_open";
        };
        /** @description Held money. */
        Recovery: {
            /**
             * Format: uuid
             * @description The paid invoice.
             */
            invoiceId: string;
            /** @description The reference of that invoice. */
            invoiceRef: string;
            /** @description The caller's own reference. */
            externalRef: string | null;
            /** @description The payment to accept or to name in a refund; null for on-time money as a whole. */
            transactionId: string | null;
            /** @description The chain. */
            chain: string;
            /** @description The symbol; null if unknown. */
            asset: string | null;
            /** @description All zeros for native coin. */
            tokenAddress: string;
            /** @description The sender; null for on-time money as a whole. */
            from: string | null;
            /** @description The held amount; null if the token is unknown. */
            amount: string | null;
            /** @description The held amount, in the token's smallest unit. */
            baseUnits: string;
            /**
             * @description Why it is held.
             * @enum {string}
             */
            reason: "late" | "wrong_token" | "wrong_chain" | "partial" | "underpaid" | "no_recipient" | "below_gas_threshold" | "screening" | "blocked_recipient" | "settlement_failed";
            /** @description The same as a message. */
            about: string;
            /**
             * Format: date-time
             * @description When a partially paid invoice expires; null if never.
             */
            expiresAt: string | null;
            /** @description The chain's error, if sending it failed. */
            error: string | null;
            /** @description The possible actions. */
            actions: ("accept_transaction" | "accept_partial" | "refund" | "set_recipient" | "wait")[];
            /** @description The possible recipients of a refund, with their maximum amounts. */
            refundTo: {
                /** @description The address. */
                address: string;
                /** @description The maximum. */
                amount: string | null;
            }[];
            /** @description Actions that are not possible here, with the reason. */
            refused: components["schemas"]["RefusedAction"][];
            /** @description Since when it is held. */
            since: components["schemas"]["Time"];
        };
        /** @description A refund. */
        Refund: {
            /**
             * Format: uuid
             * @description Identifies the refund.
             */
            id: string;
            /**
             * Format: uuid
             * @description The refunded invoice; null for an x402 payment.
             */
            invoiceId: string | null;
            /** @description The reference of the invoice; null for an x402 payment. */
            invoiceRef: string | null;
            merchantId: components["schemas"]["MerchantId"];
            /** @description Null until it is mined. */
            txHash: components["schemas"]["TransactionHash"] | null;
            /** @description The chain. */
            chain: string;
            /** @description The symbol; null if unknown. */
            asset: string | null;
            /** @description All zeros for native coin. */
            tokenAddress: components["schemas"]["Address"];
            /** @description The refunded amount; null if the token is unknown. */
            amount: string | null;
            /**
             * @description The status.
             * @enum {string}
             */
            status: "open" | "mined" | "confirmed" | "failed";
            /**
             * @description Always `refund`.
             * @enum {string}
             */
            type: "refund";
            /** @description Its block; null until mined. */
            blockNumber: number | null;
            /**
             * Format: date-time
             * @description When it was confirmed.
             */
            confirmedAt: string | null;
            /** @description When it was requested. */
            createdAt: components["schemas"]["Time"];
            /**
             * Format: uuid
             * @description The refunded x402 payment; null for an invoice.
             */
            x402PaymentId: string | null;
            /**
             * Format: uuid
             * @description The refunded payment; null for on-time money as a whole.
             */
            transactionId: string | null;
            /** @description The caller's own key. */
            idempotencyKey: string;
            /** @description The recipient. */
            address: components["schemas"]["Address"];
            /** @description The refunded amount, in the token's smallest unit. */
            baseUnits: string;
            /** @description True for refunds that you sent from your treasury. */
            external: boolean;
            /** @description Why it failed. */
            error: string | null;
            /** @description Why it is on hold; null if it is not. */
            waiting: components["schemas"]["RefundWait"] | null;
        };
        RefundAddressKeptError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "refund address kept";
            /** @constant */
            code?: "refund_address_kept";
        };
        RefundAddressNotAllowedError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "refund address not allowed";
            /** @constant */
            code?: "refund_address_not_allowed";
        };
        RefundAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Refund"];
        };
        RefundByPersonOnlyError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "refund by a person only";
            /** @constant */
            code?: "refund_by_person_only";
        };
        /** @description A refund's transaction has the chain's confirmations. */
        RefundCompletedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "refund.completed";
            data?: components["schemas"]["RefundEventData"];
        };
        /** @description A refund to a payer was created. */
        RefundCreatedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "refund.created";
            data?: components["schemas"]["RefundEventData"];
        };
        /** @description The refund at the time of the event. */
        RefundEventData: components["schemas"]["Refund"] & components["schemas"]["EventMarks"];
        /** @description A refund failed for good; the money is where it was. */
        RefundFailedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "refund.failed";
            data?: components["schemas"]["RefundEventData"];
        };
        RefundNotPossibleError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "refund not possible";
            /** @constant */
            code?: "refund_not_possible";
        };
        RefundOfTooManyPaymentsError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "refund of too many payments";
            /** @constant */
            code?: "refund_of_too_many_payments";
        };
        RefundSettledError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "refund from your treasury";
            /** @constant */
            code?: "refund_settled";
        };
        /** @description Why it is on hold; null if it is not. */
        RefundWait: {
            /**
             * @description The reason.
             * @enum {string}
             */
            reason: "refund_limit" | "owner_approval" | "stopped";
            /** @description The same as a message. */
            about: string;
            /** @description When the wait began. */
            since: components["schemas"]["Time"];
            /** @description The digest for the hub's owner to approve. */
            approvalDigest: string | null;
        };
        /** @description An action that is not possible, with the reason. */
        RefusedAction: {
            /** @description The action. */
            action: string;
            /** @description The error. */
            code: string;
            /** @description The reason. */
            about: string;
        };
        /** @description The success envelope. */
        RegisteredX402Endpoint: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["X402Endpoint"];
            payment_requirements: components["schemas"]["PaymentRequirements"];
        };
        ReplayLimitReachedError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "replay limit reached";
            /** @constant */
            code?: "replay_limit_reached";
        };
        /** @description One day, chain and token. */
        ReportDay: {
            /** @description The day in UTC. */
            day: string;
            /** @description The chain. */
            chain: string;
            /** @description The symbol; null if unknown. */
            asset: string | null;
            /** @description The contract of the token. */
            tokenAddress: string;
            /** @description Confirmed payments. */
            payments: number;
            /** @description Received in time, or accepted. */
            receivedAmount: string | null;
            /** @description Received late. */
            lateAmount: string | null;
            /** @description Confirmed settlements. */
            settlements: number;
            /** @description Settled to recipients. */
            amountRemitted: string | null;
            /** @description Platform fees. */
            fees: string | null;
            /** @description Confirmed refunds. */
            refunds: number;
            /** @description Refunded. */
            refundedAmount: string | null;
            /** @description Confirmed refunds that you sent from your treasury. */
            externalRefunds: number;
            /** @description Their amount. */
            externallyRefundedAmount: string | null;
            /** @description Confirmed x402 payments. */
            x402Payments: number;
            /** @description Received by the forwarder. */
            x402ReceivedAmount: string | null;
            /** @description Received at the merchant's own addresses. */
            x402DirectAmount: string | null;
            /** @description Fees owed for these. */
            x402FeesOwed: string | null;
            /** @description Confirmed x402 refunds. */
            x402Refunds: number;
            /** @description Their amount. */
            x402RefundedAmount: string | null;
            /** @description Payouts of the forwarder. */
            x402Payouts: number;
            /** @description Paid out to the treasury. */
            x402AmountRemitted: string | null;
            /** @description Platform fees of payouts. */
            x402Fees: string | null;
        };
        ReportInProgressError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "another report is being read";
            /** @constant */
            code?: "report_in_progress";
        };
        ScenarioNotPossibleError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "scenario not possible";
            /** @constant */
            code?: "scenario_not_possible";
        };
        /** @description Status 503. */
        ServiceUnavailableError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "service unavailable";
            /** @constant */
            code?: "service_unavailable";
        };
        SessionNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "session not found";
            /** @constant */
            code?: "session_not_found";
        };
        /** @description The overpaid amount that was settled to your treasury; null if there is none. */
        SettledOverpayment: {
            /** @description The amount. */
            amount: components["schemas"]["Amount"];
            /** @description The recipients of the settlements. */
            addresses: components["schemas"]["Address"][];
            /** @description The same as a message. */
            about: string;
        };
        /** @description A settlement. */
        Settlement: {
            /**
             * Format: uuid
             * @description Identifies the settlement.
             */
            id: string;
            /**
             * Format: uuid
             * @description The settled invoice.
             */
            invoiceId: string;
            /** @description The reference of that invoice. */
            invoiceRef: string;
            merchantId: components["schemas"]["MerchantId"];
            /** @description Null until it is mined. */
            txHash: components["schemas"]["TransactionHash"] | null;
            /** @description The chain. */
            chain: string;
            /** @description The symbol of the token. */
            asset: string;
            /** @description The contract of the token. */
            tokenAddress: components["schemas"]["Address"];
            /** @description The amount sent, the fee included. */
            amount: components["schemas"]["Amount"];
            /** @description The platform fee. */
            fee: components["schemas"]["Amount"];
            /** @description The amount received by the recipient. */
            merchantAmount: components["schemas"]["Amount"];
            /**
             * @description The status.
             * @enum {string}
             */
            status: "open" | "mined" | "confirmed" | "failed";
            /**
             * @description Always `settlement`.
             * @enum {string}
             */
            type: "settlement";
            /** @description Its block; null until mined. */
            blockNumber: number | null;
            /**
             * Format: date-time
             * @description When it was confirmed.
             */
            confirmedAt: string | null;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /** @description The recipient. */
            recipient: components["schemas"]["Address"];
        };
        /** @description The settlement of a paid invoice failed; the money stays in its deposit. */
        SettlementFailedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "settlement.failed";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description The settlement of a paid invoice failed and is retried; `settlementError` gives the reason. */
        SettlementRetryingEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "settlement.retrying";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description The result. */
        SettleResponse: {
            /** @description Whether the payment was settled. Only one call reports it. */
            success: boolean;
            /** @description The transaction hash; empty when there is none. */
            transaction: string;
            /** @description The network, as named in the request. */
            network: string;
            /**
             * Format: date-time
             * @description When it was settled.
             */
            settledAt: string | null;
            /** @description The payer, in lower case. */
            payer?: string;
            /** @description In the token's base units. */
            amount?: string;
            /** @description The token. */
            asset?: string;
            /**
             * Format: uuid
             * @description The payment.
             */
            paymentId?: string;
            /** @description The reason; only when success is false. Also as errorReason and error_reason. */
            error?: components["schemas"]["X402Reason"];
            /** @description The same as a message. */
            errorMessage?: string;
            /** @description For clients, in version 2: `remit` (`paymentId`, `asset`, `settledAt`), `bazaar`. */
            extensions?: Record<string, unknown>;
        };
        /** @description What to sign (EIP-3009); null where none is accepted. */
        SignatureTerms: {
            /** @description Of the domain. */
            name: string;
            /** @description Of the domain. */
            version: string;
            /** @description All that is due, in base units. */
            value: string;
            /** @description The longest validity. */
            maxSeconds: number;
        };
        /** @description The results. */
        Submission: {
            /** @description The chain. */
            networkId: string;
            /** @description The hash of the transaction. */
            txHash: components["schemas"]["TransactionHash"];
            /**
             * @description `not_found` may be mined later: repeat the request then.
             * @enum {string}
             */
            status: "not_found" | "reverted" | "mined";
            /** @description Its block; null until mined. */
            blockNumber: number | null;
            /** @description Its transfers to the deposit address. */
            transfers: components["schemas"]["FoundTransfer"][];
            /** @description The scope of the search, once it is mined. */
            looked?: string;
            /** @description False if a part could not be read: repeat the request. */
            complete?: boolean;
        };
        SubmissionAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Submission"];
        };
        /**
         * @description The request succeeded.
         * @constant
         */
        Success: true;
        /** @description The capabilities of this facilitator. */
        Supported: {
            /** @description Each chain, as named in both versions of the protocol. */
            kinds: components["schemas"]["SupportedKind"][];
            /** @description Extensions of version 2. */
            extensions: string[];
            /** @description The senders of transactions, by kind of chain. */
            signers: {
                /** @description The addresses that send transactions on EVM chains. */
                "eip155:*": components["schemas"]["Address"][];
            };
        };
        /** @description A payment kind. */
        SupportedKind: {
            /** @description The version of the protocol. */
            x402Version: number;
            /** @description The scheme. */
            scheme: string;
            /** @description CAIP-2 in version 2, a name in version 1. */
            network: string;
            /** @description For `upto`: the facilitator that the payer signs for. */
            extra: {
                /** @description The hub. */
                facilitatorAddress: components["schemas"]["Address"];
            };
        };
        /** @description A test of a webhook endpoint was requested. */
        TestEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "test";
            data?: components["schemas"]["TestEventData"];
        };
        /** @description The common metadata only. */
        TestEventData: {
            /**
             * Format: uuid
             * @description An identifier of this test.
             */
            id: string;
            /**
             * Format: uuid
             * @description The merchant who owns the endpoint.
             */
            merchantId: string;
            /**
             * @description Where it happened.
             * @enum {string}
             */
            environment: "sandbox" | "live";
            /** @description Increases with each event of the same object. */
            version: number;
            /** @description True in requested test events. */
            test: boolean;
        };
        /**
         * Format: date-time
         * @description ISO 8601, in UTC.
         */
        Time: string;
        /** @description A supported token. */
        Token: {
            /** @description The ticker. */
            symbol: string;
            /** @description The readable name. */
            name: string;
            /** @description The number of decimals of an amount. */
            decimals: number;
            /** @description The contracts of the token. */
            chains: components["schemas"]["TokenOnChain"][];
        };
        /** @description A token to pay with. */
        TokenChoice: {
            /** @description Its ticker. */
            tokenSymbol: string;
            /** @description Its name. */
            tokenName: string;
            /** @description The amount due in it; null until it is converted. */
            amount: components["schemas"]["Amount"] | null;
            /** @description The networks on which it is accepted. */
            networks: components["schemas"]["NetworkChoice"][];
        };
        /** @description The token on one chain. */
        TokenOnChain: {
            /** @description The chain. */
            networkId: string;
            /** @description The token's contract. */
            address: components["schemas"]["Address"];
        };
        /** @description An amount, or basis points; at most 1 %. */
        Tolerance: number | string;
        TooManyEndpointsError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "too many endpoints";
            /** @constant */
            code?: "too_many_endpoints";
        };
        TooManyRequestsError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "too many requests";
            /** @constant */
            code?: "too_many_requests";
        };
        TooManyStreamsError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "too many streams";
            /** @constant */
            code?: "too_many_streams";
        };
        TooManyUnpaidError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "too many unpaid invoices";
            /** @constant */
            code?: "too_many_unpaid";
        };
        /**
         * Format: uuid
         * @description Identifies this request for support; also in the header X-Trace-Id.
         */
        TraceId: string;
        /** @description An on-chain payment. */
        Transaction: {
            /**
             * Format: uuid
             * @description Identifies the transaction.
             */
            id: string;
            /**
             * Format: uuid
             * @description The invoice that was paid.
             */
            invoiceId: string;
            /** @description The reference of that invoice. */
            invoiceRef: string;
            merchantId: components["schemas"]["MerchantId"];
            /** @description The hash of the on-chain transaction. */
            txHash: components["schemas"]["TransactionHash"];
            /** @description The chain. */
            chain: string;
            /** @description The symbol of the token. */
            asset: string;
            /** @description The contract of the token. */
            tokenAddress: components["schemas"]["Address"];
            /** @description The transferred amount. */
            amount: components["schemas"]["Amount"];
            /** @description This payment's share of the platform fee. */
            fee: components["schemas"]["Amount"];
            /** @description The merchant's part. */
            merchantAmount: components["schemas"]["Amount"];
            /**
             * @description The confirmation status.
             * @enum {string}
             */
            status: "pending" | "confirmed" | "reverted";
            /**
             * @description `late_payment` was received after the expiry and is held until you accept or refund it.
             * @enum {string}
             */
            type: "payment" | "late_payment";
            /** @description The number of its block. */
            blockNumber: number;
            /**
             * Format: date-time
             * @description When it was confirmed.
             */
            confirmedAt: string | null;
            /** @description When it was detected. */
            createdAt: components["schemas"]["Time"];
            /** @description The index of the transfer's log in its block. */
            logIndex: number;
            /** @description The sender. */
            from: components["schemas"]["Address"];
            /** @description The refunded part. */
            refundedAmount: components["schemas"]["Amount"];
            /** @description The part of pending refunds. */
            refundingAmount: components["schemas"]["Amount"];
            /**
             * Format: date-time
             * @description When it was accepted as a late payment.
             */
            acceptedAt: string | null;
            /**
             * @description How it was sent.
             * @enum {string}
             */
            method: "transfer" | "signature" | "x402";
        };
        /** @description Of an on-chain transaction. */
        TransactionHash: string;
        TransactionNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "transaction not found";
            /** @constant */
            code?: "transaction_not_found";
        };
        TransactionNotLateError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "transaction not late";
            /** @constant */
            code?: "transaction_not_late";
        };
        TransactionRefundedError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "transaction refunded";
            /** @constant */
            code?: "transaction_refunded";
        };
        TransactionRevertedError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "transaction reverted";
            /** @constant */
            code?: "transaction_reverted";
        };
        TransferAlreadyRecordedError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "transfer already recorded";
            /** @constant */
            code?: "transfer_already_recorded";
        };
        TransferNotShownError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "transfer not shown";
            /** @constant */
            code?: "transfer_not_shown";
        };
        UnauthorizedError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "unauthorized";
            /** @constant */
            code?: "unauthorized";
        };
        /** @description Pending x402 payments on all chains. */
        UndecidedPayments: {
            /** @description The number of payments. */
            pending: number;
            /** @description The age of the oldest, in seconds; null if there is none. */
            oldestPendingSeconds: number | null;
        };
        UnknownChainError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "unknown chain";
            /** @constant */
            code?: "unknown_chain";
        };
        /** @description The verdict. */
        VerifyResponse: {
            /** @description Whether the payment could be settled now. */
            isValid: boolean;
            /** @description The payer, in lower case. */
            payer?: string;
            invalidReason?: components["schemas"]["X402Reason"];
            /** @description The same as a message. */
            invalidMessage?: string;
        };
        VoucherConflictError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "voucher conflict";
            /** @constant */
            code?: "voucher_conflict";
        };
        /** @description A webhook endpoint. */
        WebhookEndpoint: {
            /**
             * Format: uuid
             * @description Identifies the endpoint.
             */
            id: string;
            /**
             * Format: uuid
             * @description The merchant who owns it.
             */
            merchantId: string;
            /** @description https, in the sandbox also http, on the public internet, without credentials or fragment. */
            url: string;
            /** @description A description, at most 1000 characters. */
            description: string;
            /** @description The event types to send; null for all. */
            eventTypes: components["schemas"]["EventType"][] | null;
            /** @description False if it receives nothing. */
            active: boolean;
            /**
             * @description Why it is inactive: deactivated by the `merchant`, `gone` (it responded with 410), or `failing` (only failures for five days).
             * @enum {string|null}
             */
            disabledReason: "merchant" | "gone" | "failing" | null;
            /**
             * Format: date-time
             * @description When it was deactivated.
             */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description The first failure since the last success.
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When the URL first responded with 2xx; until then it receives one webhook per minute.
             */
            provenAt: string | null;
            /**
             * Format: date-time
             * @description Until when the previous secret signs as well.
             */
            previousSecretUntil: string | null;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /** @description When it was last changed. */
            updatedAt: components["schemas"]["Time"];
        };
        WebhookEndpointAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["WebhookEndpoint"];
        };
        /** @description The endpoint at the time of the event. */
        WebhookEndpointEventData: components["schemas"]["WebhookEndpoint"] & components["schemas"]["EventMarks"];
        /** @description The endpoint, with its new secret. */
        WebhookEndpointWithSecret: components["schemas"]["WebhookEndpoint"] & {
            /** @description The signing secret: its prefix and 32 bytes in base64. Shown only once. */
            secret: string;
        };
        WebhookEndpointWithSecretAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["WebhookEndpointWithSecret"];
        };
        /** @description The body of a webhook, by `type`. */
        WebhookEvent: components["schemas"]["InvoiceCreatedEvent"] | components["schemas"]["InvoicePaymentDetectedEvent"] | components["schemas"]["InvoicePaymentConfirmedEvent"] | components["schemas"]["InvoicePaymentRevertedEvent"] | components["schemas"]["InvoicePartiallyPaidEvent"] | components["schemas"]["InvoicePaidEvent"] | components["schemas"]["InvoiceOverpaidEvent"] | components["schemas"]["InvoiceLatePaymentEvent"] | components["schemas"]["InvoiceUnexpectedPaymentEvent"] | components["schemas"]["InvoiceVoidedEvent"] | components["schemas"]["InvoiceExpiredEvent"] | components["schemas"]["InvoiceCompletedEvent"] | components["schemas"]["SettlementRetryingEvent"] | components["schemas"]["SettlementFailedEvent"] | components["schemas"]["RefundCreatedEvent"] | components["schemas"]["RefundCompletedEvent"] | components["schemas"]["RefundFailedEvent"] | components["schemas"]["X402PaymentSettledEvent"] | components["schemas"]["X402PaymentFailedEvent"] | components["schemas"]["X402ChannelWithdrawingEvent"] | components["schemas"]["EndpointDisabledEvent"] | components["schemas"]["TestEvent"];
        /** @description The envelope of a list. */
        WholeListAnswer: {
            success: components["schemas"]["Success"];
            metadata: components["schemas"]["WholeListMetadata"];
        };
        /** @description The metadata of the list. */
        WholeListMetadata: {
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A payment channel. */
        X402Channel: {
            /**
             * Format: uuid
             * @description Identifies the channel in events.
             */
            id: string;
            merchantId: components["schemas"]["MerchantId"];
            /** @description Its hash. */
            channelId: string;
            /** @description Its chain (CAIP-2). */
            network: string;
            channelConfig: components["schemas"]["ChannelConfig"];
            /** @description Deposited and not withdrawn. */
            balance: components["schemas"]["Amount"];
            /** @description The claimed part of it. */
            claimed: components["schemas"]["Amount"];
            /** @description Charged and not yet claimed. */
            unclaimed: components["schemas"]["Amount"];
            /** @description The amount that the payer is withdrawing. */
            withdrawAmount: string | null;
            /**
             * Format: date-time
             * @description When it can be withdrawn.
             */
            withdrawAt: string | null;
            /** @description Who claims charged amounts before that: `service` or `merchant`. */
            claimedBy: string;
            /** @description When it last changed on its chain. */
            changedAt: components["schemas"]["Time"];
            /** @description A server's record of a channel, in base units. */
            voucher: components["schemas"]["ChannelVoucher"] | null;
        };
        X402ChannelAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["X402Channel"];
        };
        /** @description The channel at the time of the event. */
        X402ChannelEventData: components["schemas"]["X402Channel"] & components["schemas"]["EventMarks"];
        /** @description A payer began to withdraw from a channel: claim what is `unclaimed` before `withdrawAt`. */
        X402ChannelWithdrawingEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "x402.channel.withdrawing";
            data?: components["schemas"]["X402ChannelEventData"];
        };
        /** @description Metadata for discovery, at most 8,192 characters. */
        X402Discovery: {
            [key: string]: unknown;
        };
        /** @description A price for a URL. */
        X402Endpoint: {
            /**
             * Format: uuid
             * @description Identifies the endpoint.
             */
            id: string;
            /**
             * Format: uuid
             * @description The merchant who owns it.
             */
            merchantId: string;
            /** @description The URL of the protected route. */
            endpointUrl: string;
            /** @description What the payer gets. */
            description: string;
            /** @description The chain (CAIP-2). */
            network: string;
            /** @description The same chain by its networkId. */
            networkId: string;
            /** @description The symbol of the token. */
            asset: string;
            /** @description The token's contract. */
            assetAddress: components["schemas"]["Address"];
            /** @description The price in US dollars, at least two decimals; null for EURC. */
            amountUsd: string | null;
            /** @description The price in the token's smallest unit. */
            amount: string;
            /** @description The merchant's forwarder, the same on every chain. */
            payTo: components["schemas"]["Address"];
            /** @description False once it is deactivated: payments for it are refused. */
            active: boolean;
            /** @description True if each payment has its own transaction. */
            ownTransaction: boolean;
            /** @description False if payers with code are refused: contract wallets and delegated accounts. */
            acceptsWallets: boolean;
            /** @description True if it is listed at /v1/x402/discovery. */
            discoverable: boolean;
            /** @description The checkout settings. */
            discovery: components["schemas"]["X402Discovery"] | null;
            /** @description When it was registered. */
            createdAt: components["schemas"]["Time"];
            /** @description When it was last changed. */
            updatedAt: components["schemas"]["Time"];
            /** @description The payment requirements for the 402 body; null if it can not be paid. */
            payment_requirements: components["schemas"]["PaymentRequirements"] | null;
        };
        X402EndpointAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["X402Endpoint"];
        };
        /** @description The extension `bazaar`. */
        X402Extensions: {
            [key: string]: unknown;
        };
        /** @description A pay-per-request payment. */
        X402Payment: {
            /** @description Null until it is mined. */
            transaction: components["schemas"]["TransactionHash"] | null;
            /** @description The chain (CAIP-2). */
            network: string;
            /** @description The address that pays, in lower case. */
            payer: string;
            /** @description The amount, with at least two decimals. */
            amount: components["schemas"]["Amount"];
            /** @description The token's contract. */
            asset: components["schemas"]["Address"];
            /** @description The recipient: the forwarder, or your own address. */
            payTo: components["schemas"]["Address"];
            /**
             * Format: uuid
             * @description The paid endpoint; null if there is none.
             */
            endpointId: string | null;
            /** @description Why it failed; null if it did not. */
            error: components["schemas"]["X402Reason"] | null;
            /**
             * Format: date-time
             * @description When it was executed.
             */
            settledAt: string | null;
            /**
             * Format: uuid
             * @description Identifies the payment.
             */
            id: string;
            merchantId: components["schemas"]["MerchantId"];
            /**
             * @description The status.
             * @enum {string}
             */
            status: "pending" | "settled" | "failed";
            /** @description The same chain by its networkId. */
            networkId: string;
            /** @description The symbol of the token. */
            tokenSymbol: string;
            /** @description `exact` or `upto`. */
            scheme: string;
            /** @description The maximum that the payer permitted by Permit2; null for EIP-3009. */
            permitted: string | null;
            /** @description The nonce of the signed authorization. */
            nonce: string;
            /** @description The index of the transfer's log in its block; null until it is mined. */
            logIndex: number | null;
            /** @description Its block; null until mined. */
            blockNumber: number | null;
            /**
             * Format: uuid
             * @description The forwarder's payout that includes it.
             */
            distributionId: string | null;
            /** @description Its share of that payout's fee; null before that. */
            fee: string | null;
            /** @description True if it was paid to your own address. */
            direct: boolean;
            /** @description The fee that you owe for it, if direct. */
            feeOwed: components["schemas"]["Amount"];
            /** @description The merchant's part; null before that. */
            merchantAmount: string | null;
            /** @description The refunded part. */
            refundedAmount: components["schemas"]["Amount"];
            /** @description The part of pending refunds. */
            refundingAmount: components["schemas"]["Amount"];
            /** @description The authorization is valid after this Unix time. */
            validAfter: string;
            /** @description The authorization is valid before this Unix time. */
            validBefore: string;
            /** @description When it was claimed. */
            createdAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When its transaction was confirmed.
             */
            confirmedAt: string | null;
        };
        X402PaymentAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["X402Payment"];
        };
        /** @description The payment at the time of the event. */
        X402PaymentEventData: components["schemas"]["X402Payment"] & components["schemas"]["EventMarks"];
        /** @description A pay-per-request payment was reverted, or its authorization expired. */
        X402PaymentFailedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "x402.payment.failed";
            data?: components["schemas"]["X402PaymentEventData"];
        };
        /** @description A pay-per-request payment has the chain's confirmations. */
        X402PaymentSettledEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "x402.payment.settled";
            data?: components["schemas"]["X402PaymentEventData"];
        };
        /** @description The status of a payment. */
        X402PaymentStatus: {
            /** @description The requested nonce. */
            nonce: string;
            /**
             * @description `not_found` is returned with the nonce only.
             * @enum {string}
             */
            status: "not_found" | "pending" | "settled" | "failed";
            /**
             * Format: uuid
             * @description Identifies the payment.
             */
            paymentId?: string;
            /** @description Null until it is mined. */
            transaction?: components["schemas"]["TransactionHash"] | null;
            /** @description The chain (CAIP-2). */
            network?: string;
            /** @description The address that pays, in lower case. */
            payer?: string;
            /** @description The amount, with at least two decimals. */
            amount?: components["schemas"]["Amount"];
            /** @description The token's contract. */
            asset?: components["schemas"]["Address"];
            /** @description The recipient: the forwarder, or your own address. */
            payTo?: components["schemas"]["Address"];
            /**
             * Format: uuid
             * @description The paid endpoint; null if there is none.
             */
            endpointId?: string | null;
            /** @description Why it failed; null if it did not. */
            error?: components["schemas"]["X402Reason"] | null;
            /**
             * Format: date-time
             * @description When it was executed.
             */
            settledAt?: string | null;
        };
        X402PaymentStatusAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["X402PaymentStatus"];
        };
        /**
         * @description The reason; only when isValid is false.
         * @enum {string}
         */
        X402Reason: "insufficient_funds" | "invalid_exact_evm_payload_authorization_valid_after" | "invalid_exact_evm_payload_authorization_valid_before" | "invalid_exact_evm_payload_authorization_value_mismatch" | "invalid_exact_evm_payload_signature" | "invalid_exact_evm_payload_recipient_mismatch" | "invalid_network" | "invalid_payload" | "invalid_payment_requirements" | "pay_to_not_registered" | "invalid_scheme" | "unsupported_scheme" | "invalid_x402_version" | "invalid_transaction_state" | "unexpected_verify_error" | "unexpected_settle_error" | "payment_expired" | "duplicate_settlement" | "settlement_pending" | "authorization_used" | "authorization_cancelled" | "payer_blacklisted" | "payer_on_hold" | "payee_blacklisted" | "token_paused" | "asset_not_deployed" | "invalid_exact_evm_payload_undeployed_smart_wallet" | "invalid_batch_settlement_evm_payload_type" | "invalid_batch_settlement_evm_channel_id_mismatch" | "invalid_batch_settlement_evm_receiver_mismatch" | "invalid_batch_settlement_evm_receiver_authorizer_mismatch" | "invalid_batch_settlement_evm_token_mismatch" | "invalid_batch_settlement_evm_withdraw_delay_out_of_range" | "invalid_batch_settlement_evm_erc3009_authorization_required" | "invalid_batch_settlement_evm_payload_authorization_valid_after" | "invalid_batch_settlement_evm_payload_authorization_valid_before" | "invalid_batch_settlement_evm_authorizer_not_configured" | "invalid_batch_settlement_evm_voucher_signature" | "invalid_batch_settlement_evm_channel_not_found" | "invalid_batch_settlement_evm_cumulative_exceeds_balance" | "invalid_batch_settlement_evm_cumulative_below_claimed" | "invalid_batch_settlement_evm_insufficient_balance" | "invalid_batch_settlement_evm_deposit_simulation_failed" | "invalid_batch_settlement_evm_claim_simulation_failed" | "invalid_batch_settlement_evm_refund_simulation_failed" | "invalid_batch_settlement_evm_refund_no_balance" | "invalid_batch_settlement_evm_nothing_to_settle" | "invalid_batch_settlement_evm_deposit_transaction_failed" | "invalid_batch_settlement_evm_claim_transaction_failed" | "invalid_batch_settlement_evm_settle_transaction_failed" | "invalid_batch_settlement_evm_refund_transaction_failed" | "invalid_permit2_spender" | "invalid_permit2_signature" | "invalid_permit2_recipient_mismatch" | "permit2_token_mismatch" | "permit2_amount_mismatch" | "permit2_not_yet_valid" | "permit2_deadline_expired" | "permit2_insufficient_balance" | "permit2_allowance_required" | "permit2_proxy_not_deployed" | "upto_facilitator_mismatch" | "invalid_upto_evm_payload_settlement_exceeds_amount" | "upto_key_required";
        /** @description A payable resource. */
        X402Resource: {
            /** @description The URL, or the pattern of its path. */
            resource: string;
            /** @description Its kind: http, mcp or a2a. */
            type: string;
            /** @description The version of the protocol. */
            x402Version: number;
            /** @description All payable prices, the newest first. */
            accepts: components["schemas"]["PaymentRequirements"][];
            /** @description When it was last changed. */
            lastUpdated: components["schemas"]["Time"];
            /** @description What the payer gets. */
            description: string;
            /** @description The media type of its response. */
            mimeType?: string;
            /** @description The name of the service. */
            serviceName?: string;
            /** @description Its tags. */
            tags?: string[];
            /** @description An icon of the service. */
            iconUrl?: string;
            extensions?: components["schemas"]["X402Extensions"];
        };
    };
    responses: {
        /** @description approval required */
        ApprovalRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApprovalRequiredError"];
            };
        };
        /** @description invalid request body */
        BadBody: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidRequestBodyError"];
            };
        };
        /** @description See `code`. */
        BadChain: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["UnknownChainError"] | components["schemas"]["NoSupportedChainsError"];
            };
        };
        /** @description See `code`. */
        BadEndpoint: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidEndpointIdError"] | components["schemas"]["InvalidRequestBodyError"];
            };
        };
        /** @description See `code`. */
        BadInvoice: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["UnknownChainError"] | components["schemas"]["NoSupportedChainsError"] | components["schemas"]["InvalidRecipientError"];
            };
        };
        /** @description invalid query parameters */
        BadQuery: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidQueryParametersError"];
            };
        };
        /** @description See `code`. */
        BadTransfer: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInvoiceIdError"] | components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["UnknownChainError"];
            };
        };
        /** @description See `code`. */
        BudgetExceededOrTooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BudgetExceededError"] | components["schemas"]["TooManyRequestsError"];
            };
        };
        /** @description channel not found */
        ChannelNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChannelNotFoundError"];
            };
        };
        /** @description choice not possible */
        ChoiceNotPossible: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChoiceNotPossibleError"];
            };
        };
        /** @description delivery not found */
        DeliveryNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DeliveryNotFoundError"];
            };
        };
        /** @description endpoint conflict */
        EndpointConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EndpointConflictError"];
            };
        };
        /** @description endpoint disabled */
        EndpointDisabled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EndpointDisabledError"];
            };
        };
        /** @description endpoint not found */
        EndpointNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EndpointNotFoundError"];
            };
        };
        /** @description See `code`. */
        Fault: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ServiceUnavailableError"] | components["schemas"]["InternalError"];
            };
        };
        /** @description See `code`. */
        IdempotencyKeyReusedOrIdempotencyKeyInFlight: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdempotencyKeyReusedError"] | components["schemas"]["IdempotencyKeyInFlightError"];
            };
        };
        /** @description internal error */
        Internal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"];
            };
        };
        /** @description invalid endpoint id */
        InvalidEndpointId: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidEndpointIdError"];
            };
        };
        /** @description invalid invoice id */
        InvalidInvoiceId: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInvoiceIdError"];
            };
        };
        /** @description See `code`. */
        InvalidInvoiceIdOrInvalidRequestBody: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInvoiceIdError"] | components["schemas"]["InvalidRequestBodyError"];
            };
        };
        /** @description invalid payment id */
        InvalidPaymentId: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidPaymentIdError"];
            };
        };
        /** @description invalid price id */
        InvalidPriceId: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidPriceIdError"];
            };
        };
        /** @description See `code`. */
        InvalidRequestBodyOrUnknownChain: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["UnknownChainError"];
            };
        };
        /** @description invoice not found */
        InvoiceNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvoiceNotFoundError"];
            };
        };
        /** @description See `code`. */
        InvoiceNotFoundOrTransactionNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvoiceNotFoundError"] | components["schemas"]["TransactionNotFoundError"];
            };
        };
        /** @description too many requests */
        Limit: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TooManyRequestsError"];
            };
        };
        /** @description unauthorized */
        NoKey: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"];
            };
        };
        /** @description See `code`. */
        NoRefund: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RefundSettledError"] | components["schemas"]["RefundNotPossibleError"] | components["schemas"]["IdempotencyKeyConflictError"] | components["schemas"]["IdempotencyKeyReusedError"] | components["schemas"]["IdempotencyKeyInFlightError"];
            };
        };
        /** @description origin not allowed */
        OriginNotAllowed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OriginNotAllowedError"];
            };
        };
        /** @description payment not found */
        PaymentNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PaymentNotFoundError"];
            };
        };
        /** @description price not found */
        PriceNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PriceNotFoundError"];
            };
        };
        /** @description See `code`. */
        RateUnavailableOrServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateUnavailableError"] | components["schemas"]["ServiceUnavailableError"];
            };
        };
        /** @description See `code`. */
        ReportInProgressOrTooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReportInProgressError"] | components["schemas"]["TooManyRequestsError"];
            };
        };
        /** @description session not found */
        SessionNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SessionNotFoundError"];
            };
        };
        /** @description request body too large */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BodyTooLargeError"];
            };
        };
        /** @description Received. A 410 disables the endpoint; anything else is retried. */
        Taken: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        address: string;
        /** @description The `next` of a page, to continue after it; empty for the first page. */
        after: string;
        /** @description The `previous` of a page, to go back; empty for the last page. */
        before: string;
        deliveryId: string;
        /** @description Only payments for this endpoint. */
        endpointId: string;
        /** @description Only resources with this extension. */
        extensions: string;
        /** @description Only entries at or after this time, with a time zone. */
        from: string;
        id: string;
        /** @description For 24 hours, repeating the same JSON with this key returns the same response. An externalRef takes precedence. */
        "Idempotency-Key": string;
        invoiceId: string;
        /** @description The maximum number of elements per page. */
        limit: number;
        /** @description Only resources on this chain. */
        network: string;
        /** @description The number of elements to skip. Excludes `page`. */
        offset: number;
        /** @description The page, counted from 1; the first by default. Excludes `offset`. */
        page: number;
        /** @description Only payments by this address. */
        payer: string;
        paymentId: string;
        paymentLinkId: string;
        /** @description Only resources that pay this address. */
        payTo: string;
        priceId: string;
        /** @description Only resources with this scheme. */
        scheme: string;
        sessionId: string;
        /** @description Only entries before this time, with a time zone. */
        to: string;
        /** @description Only resources of this type: http, mcp or a2a. */
        type: string;
        webhookEndpointId: string;
        x402EndpointId: string;
        /** @description The event, the same at every attempt. */
        EventId: string;
        /** @description When this attempt was sent, in Unix seconds. */
        Sent: string;
        /** @description HMAC-SHA256 of `id.timestamp.body` in base64 after `v1,`; two, separated by a space, while a secret is being rotated. */
        Signed: string;
    };
    requestBodies: never;
    headers: {
        /** @description Seconds to wait. */
        "Retry-After": number;
        /** @description The limit of requests per minute. */
        "X-RateLimit-Limit": number;
        /** @description The remaining requests in the window. */
        "X-RateLimit-Remaining": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listInvoices: {
        parameters: {
            query?: {
                /** @description The maximum number of elements per page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1; the first by default. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description The number of elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty for the first page. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty for the last page. */
                before?: components["parameters"]["before"];
                /** @description Only invoices with this status. */
                status?: "pending" | "partial" | "paid" | "completed";
                /** @description Only the invoice with this externalRef. */
                externalRef?: string;
                /** @description Only the invoice with this reference. */
                reference?: string;
                /** @description Only invoices created at this time or later. */
                createdFrom?: string;
                /** @description Only invoices created at this time or earlier. */
                createdTo?: string;
                /** @description Only invoices paid at this time or later. */
                paidFrom?: string;
                /** @description Only invoices paid at this time or earlier. */
                paidTo?: string;
                /** @description Only invoices with at least this amount due. In the token's major unit. */
                amountFrom?: string;
                /** @description Only invoices with at most this amount due. In the token's major unit. */
                amountTo?: string;
                /** @description Only invoices in this token. */
                tokenSymbol?: "USDC" | "USDT" | "EURC";
                /** @description Only invoices with this metadata: `metadata.cart=c-77` or `metadata[cart]=c-77`. */
                metadata?: {
                    /** @description The value as text. */
                    cart?: string;
                } & {
                    [key: string]: string;
                };
                /** @description Only invoices with a payment from this address. */
                payer?: string;
                /** @description Only invoices with a payment in this transaction. */
                txHash?: string;
                /** @description Only unpaid invoices past their expiry, or only others. */
                expired?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["Invoice"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, repeating the same JSON with this key returns the same response. An externalRef takes precedence. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The ticker of the token. */
                    tokenSymbol: string;
                    /** @description The amount due, in the token's major unit: more than 0. In live, chains whose minimum is higher are not offered. */
                    amountExpected: components["schemas"]["AmountNumber"] | components["schemas"]["AmountText"];
                    /** @description ISO 4217, converted to the token and rounded up; omitted, the token. */
                    currency?: string | null;
                    /** @description The chains to offer; if omitted or empty, all chains with the token. Chains without it, or with a higher minimum, are left out. */
                    chains?: string[] | null;
                    /** @description Idempotency key of 1 to 255 characters. */
                    externalRef?: string | null;
                    /** @description The EVM address that receives the settled funds, in lower case or with its EIP-55 checksum. If omitted, the merchant's recipient at settlement. */
                    recipient?: string | null;
                    /**
                     * Format: date-time
                     * @description When the invoice expires, at most 366 days ahead, with a time zone. Payments in later blocks are late.
                     */
                    expiresAt?: string | null;
                    /** @description An amount, or basis points; at most 1 %. */
                    underpaymentTolerance?: components["schemas"]["Tolerance"] | null;
                    /** @description Any key-value pairs, at most 50 keys and 8192 bytes as JSON. */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The existing invoice of this externalRef. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceAnswer"];
                };
            };
            /** @description The new invoice. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceAnswer"];
                };
            };
            400: components["responses"]["BadInvoice"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["ApprovalRequired"];
            /** @description See `code`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalRefConflictError"] | components["schemas"]["IdempotencyKeyReusedError"] | components["schemas"]["IdempotencyKeyInFlightError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            503: components["responses"]["RateUnavailableOrServiceUnavailable"];
            "5XX": components["responses"]["Internal"];
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceAnswer"];
                };
            };
            400: components["responses"]["InvalidInvoiceId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listInvoiceTransactions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transactions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeListAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["Transaction"][];
                    };
                };
            };
            400: components["responses"]["InvalidInvoiceId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    submitTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The chain, by networkId or CAIP-2 identifier; it may be one that the invoice does not offer. */
                    networkId: string;
                    /** @description The hash of the transaction. */
                    txHash: string;
                };
            };
        };
        responses: {
            /** @description The results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionAnswer"];
                };
            };
            400: components["responses"]["BadTransfer"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    expireInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The expired invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceAnswer"];
                };
            };
            400: components["responses"]["InvalidInvoiceIdOrInvalidRequestBody"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            /** @description invoice already paid */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceAlreadyPaidError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    acceptLatePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The updated invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceAnswer"];
                };
            };
            /** @description See `code`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidInvoiceIdError"] | components["schemas"]["InvalidTransactionIdError"] | components["schemas"]["InvalidRequestBodyError"];
                };
            };
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFoundOrTransactionNotFound"];
            /** @description See `code`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionNotLateError"] | components["schemas"]["TransactionRevertedError"] | components["schemas"]["TransactionRefundedError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    acceptPartialPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The paid invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceAnswer"];
                };
            };
            400: components["responses"]["InvalidInvoiceIdOrInvalidRequestBody"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            /** @description See `code`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NothingReceivedError"] | components["schemas"]["InvoiceAlreadyPaidError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listInvoiceRefunds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refunds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeListAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["Refund"][];
                    };
                };
            };
            400: components["responses"]["InvalidInvoiceId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, repeating the same JSON with this key returns the same response. An externalRef takes precedence. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The amount to refund, in the token's major unit. In live, at least the minimum of the chain. */
                    amount: components["schemas"]["AmountNumber"] | components["schemas"]["AmountText"];
                    /** @description The recipient: the sender of the payment. Other addresses only if the operator allows it. */
                    address: string;
                    /**
                     * Format: uuid
                     * @description The payment to refund: a late one, another token, or a part of the on-time money. If omitted, the on-time money as a whole.
                     */
                    transactionId?: string | null;
                    /** @description 1 to 255 characters, once per invoice. */
                    idempotencyKey: string;
                };
            };
        };
        responses: {
            /** @description The existing refund of this idempotencyKey. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAnswer"];
                };
            };
            /** @description The new refund. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAnswer"];
                };
            };
            /** @description See `code`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidInvoiceIdError"] | components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["InvalidRecipientError"] | components["schemas"]["RefundOfTooManyPaymentsError"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description See `code`. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAddressNotAllowedError"] | components["schemas"]["RefundByPersonOnlyError"];
                };
            };
            404: components["responses"]["InvoiceNotFoundOrTransactionNotFound"];
            409: components["responses"]["NoRefund"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    recordExternalRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A chain of the invoice, by networkId or CAIP-2 identifier. */
                    networkId: string;
                    /** @description The hash of the transaction. */
                    txHash: string;
                    /** @description The transferred amount, in the token's major unit. */
                    amount: components["schemas"]["AmountNumber"] | components["schemas"]["AmountText"];
                    /** @description The index of the log in its block, if several transfers match. */
                    logIndex?: number | null;
                };
            };
        };
        responses: {
            /** @description The existing refund. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAnswer"];
                };
            };
            /** @description The refund. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAnswer"];
                };
            };
            400: components["responses"]["BadTransfer"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            /** @description See `code`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundNotPossibleError"] | components["schemas"]["TransferNotShownError"] | components["schemas"]["TransferAlreadyRecordedError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listRecoveries: {
        parameters: {
            query?: {
                /** @description The maximum number of elements per page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1; the first by default. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description The number of elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty for the first page. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty for the last page. */
                before?: components["parameters"]["before"];
                /** @description Only held money of this invoice. */
                invoiceId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["Recovery"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["ReportInProgressOrTooManyRequests"];
            "5XX": components["responses"]["Fault"];
        };
    };
    search: {
        parameters: {
            query: {
                /** @description The search text. */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description Invoices. */
                        data: components["schemas"]["Found"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listBalances: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balances. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description By chain. */
                        data: components["schemas"]["Balance"][];
                    };
                };
            };
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listPrices: {
        parameters: {
            query?: {
                /** @description The maximum number of elements per page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1; the first by default. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description The number of elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty for the first page. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty for the last page. */
                before?: components["parameters"]["before"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["Price"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createPrice: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, repeating the same JSON with this key returns the same response. An externalRef takes precedence. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": "12.5",
                 *       "tokens": [
                 *         "USDC"
                 *       ],
                 *       "description": "Three months of tea",
                 *       "expiresAfter": 3600,
                 *       "metadata": {
                 *         "plan": "tea-3"
                 *       },
                 *       "reusable": true
                 *     }
                 */
                "application/json": {
                    /** @description The amount due, in the tokens' major unit. */
                    amount: components["schemas"]["AmountNumber"] | components["schemas"]["AmountText"];
                    /** @description ISO 4217, converted to the token and rounded up; omitted, the token. */
                    currency?: string | null;
                    /** @description The tokens that the payer may choose from, all of the same value. */
                    tokens: string[];
                    /** @description The chains to offer. If omitted or empty, all chains that have the token and accept the amount. */
                    chains?: string[] | null;
                    /** @description What is bought, as the payer reads it: 1 to 500 characters. */
                    description?: string | null;
                    /** @description The payment window, in seconds; omitted, the merchant's default. */
                    expiresAfter?: number | null;
                    /** @description The metadata of each invoice. `checkout` is added, with session, price and clientReference. */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description False for a price that can be paid once, e.g. one order. True by default. */
                    reusable?: boolean | null;
                    /** @description An amount, or basis points; at most 1 %. */
                    underpaymentTolerance?: components["schemas"]["Tolerance"] | null;
                };
            };
        };
        responses: {
            /** @description The new price. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceAnswer"];
                };
            };
            400: components["responses"]["BadChain"];
            401: components["responses"]["NoKey"];
            409: components["responses"]["IdempotencyKeyReusedOrIdempotencyKeyInFlight"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getPrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["priceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The price. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceAnswer"];
                };
            };
            400: components["responses"]["InvalidPriceId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["PriceNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    deletePrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["priceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The price was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The deleted price. */
                        data: {
                            /**
                             * Format: uuid
                             * @description The id of the price.
                             */
                            id: string;
                            /** @description Always true. */
                            deleted: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["InvalidPriceId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["PriceNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    changePrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["priceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What is bought, as the payer reads it: 1 to 500 characters. */
                    description?: string | null;
                    /** @description The payment window, in seconds; omitted, the merchant's default. */
                    expiresAfter?: number | null;
                    /** @description The metadata of each invoice. `checkout` is added, with session, price and clientReference. */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description False: creates no new invoices. True: creates them again. */
                    active?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The changed price. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceAnswer"];
                };
            };
            /** @description See `code`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidPriceIdError"] | components["schemas"]["InvalidRequestBodyError"];
                };
            };
            401: components["responses"]["NoKey"];
            404: components["responses"]["PriceNotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                /** @description The maximum number of elements per page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1; the first by default. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description The number of elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty for the first page. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty for the last page. */
                before?: components["parameters"]["before"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["PaymentLink"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, repeating the same JSON with this key returns the same response. An externalRef takes precedence. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The price to pay.
                     */
                    price: string;
                    /** @description The maximum number of payments; unlimited if omitted. */
                    usesLimit?: number | null;
                    /**
                     * Format: date-time
                     * @description When it stops accepting payers, with a time zone.
                     */
                    endsAt?: string | null;
                };
            };
        };
        responses: {
            /** @description The new link. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkAnswer"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["PriceNotFound"];
            409: components["responses"]["IdempotencyKeyReusedOrIdempotencyKeyInFlight"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["paymentLinkId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkAnswer"];
                };
            };
            /** @description invalid payment link id */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidPaymentLinkIdError"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description payment link not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkNotFoundError"];
                };
            };
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    changePaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["paymentLinkId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The price to pay.
                     */
                    price?: string | null;
                    /** @description The maximum number of payments; unlimited if omitted. */
                    usesLimit?: number | null;
                    /**
                     * Format: date-time
                     * @description When it stops accepting payers, with a time zone.
                     */
                    endsAt?: string | null;
                    /** @description False deactivates the link, true activates it. */
                    active?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The changed link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkAnswer"];
                };
            };
            /** @description See `code`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidPaymentLinkIdError"] | components["schemas"]["InvalidRequestBodyError"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description See `code`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkNotFoundError"] | components["schemas"]["PriceNotFoundError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createCheckoutSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The price to pay.
                     */
                    price?: string | null;
                    /**
                     * Format: uuid
                     * @description The invoice to pay; with the secret key only.
                     */
                    invoice?: string | null;
                    /** @description Idempotency key of 1 to 255 characters: the same price and reference return the same session, until it ends unpaid. With the publishable key at least 16 characters, hard to guess: it gives access to the session. */
                    clientReference?: string | null;
                    /**
                     * Format: uri
                     * @description The URL that the payer returns to, on one of the allowed origins.
                     */
                    returnUrl?: string | null;
                };
            };
        };
        responses: {
            /** @description The existing session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSessionAnswer"];
                };
            };
            /** @description The new session. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSessionAnswer"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["OriginNotAllowed"];
            /** @description See `code`. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceNotFoundError"] | components["schemas"]["InvoiceNotFoundError"];
                };
            };
            /** @description See `code`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceNotActiveError"] | components["schemas"]["ClientReferenceConflictError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getCheckoutSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["sessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The view. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutViewAnswer"];
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["SessionNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    followCheckoutSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["sessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["SessionNotFound"];
            /** @description See `code`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyStreamsError"] | components["schemas"]["TooManyRequestsError"];
                };
            };
            "5XX": components["responses"]["Fault"];
        };
    };
    chooseToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["sessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The ticker of a token that the session offers. */
                    tokenSymbol: string;
                    /** @description The network that the payer chooses; payments on other offered networks count as well. */
                    networkId?: string | null;
                };
            };
        };
        responses: {
            /** @description The view, with amount and address. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutViewAnswer"];
                };
            };
            400: components["responses"]["InvalidRequestBodyOrUnknownChain"];
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["SessionNotFound"];
            409: components["responses"]["ChoiceNotPossible"];
            413: components["responses"]["TooLarge"];
            /** @description See `code`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyUnpaidError"] | components["schemas"]["TooManyRequestsError"];
                };
            };
            503: components["responses"]["RateUnavailableOrServiceUnavailable"];
            "5XX": components["responses"]["Internal"];
        };
    };
    payBySignature: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["sessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The chain. */
                    networkId: string;
                    /** @description The payer. */
                    from: string;
                    /** @description In base units. */
                    value: string;
                    /** @description Unix seconds. */
                    validAfter: string;
                    /** @description Unix seconds. */
                    validBefore: string;
                    /** @description 32 random bytes. */
                    nonce: string;
                    /** @description By the payer. */
                    signature: string;
                };
            };
        };
        responses: {
            /** @description The state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayerAuthorizationAnswer"];
                };
            };
            400: components["responses"]["InvalidRequestBodyOrUnknownChain"];
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["SessionNotFound"];
            409: components["responses"]["ChoiceNotPossible"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["BudgetExceededOrTooManyRequests"];
            "5XX": components["responses"]["Fault"];
        };
    };
    lookUpTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["sessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The transaction's hash, or an explorer link that contains it. */
                    hash: string;
                };
            };
        };
        responses: {
            /** @description The results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HashLookupAnswer"];
                };
            };
            400: components["responses"]["BadBody"];
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["SessionNotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["BudgetExceededOrTooManyRequests"];
            "5XX": components["responses"]["Fault"];
        };
    };
    leaveRefundAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["sessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An address of the payer, in lower case or with its EIP-55 checksum. */
                    address: string;
                };
            };
        };
        responses: {
            /** @description The updated view. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutViewAnswer"];
                };
            };
            /** @description See `code`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["InvalidRefundAddressError"];
                };
            };
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["SessionNotFound"];
            /** @description refund address kept */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAddressKeptError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getCheckoutSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSettingsAnswer"];
                };
            };
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    changeCheckoutSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description At most 80 characters. An empty string removes it. */
                    name?: string | null;
                    /** @description A colour with a contrast of at least 3:1 on white. An empty string removes it. */
                    accent?: string | null;
                    /** @description Contact for payers. An empty string removes it. */
                    supportEmail?: string | null;
                    /** @description Contact for payers. An empty string removes it. */
                    supportUrl?: string | null;
                    /** @description The URL that payers return to, on one of the allowed origins. An empty string removes it. */
                    returnUrl?: string | null;
                    /** @description All origins that may create and frame sessions: scheme, host and port. */
                    allowedOrigins?: string[] | null;
                    /** @description The default payment window of prices, in seconds. */
                    defaultExpiry?: number | null;
                    /** @description The languages of the pages; empty for all. */
                    languages?: ("en" | "de" | "es" | "fr" | "pt" | "it" | "nl" | "pl" | "tr" | "zh" | "ja" | "ar")[] | null;
                    /** @description An amount, or basis points; at most 1 %. */
                    underpaymentTolerance?: components["schemas"]["Tolerance"] | null;
                };
            };
        };
        responses: {
            /** @description The changed settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSettingsAnswer"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["NoKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    replaceLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/png": string;
                "image/jpeg": string;
                "image/webp": string;
            };
        };
        responses: {
            /** @description The changed settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSettingsAnswer"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["NoKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    removeLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changed settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSettingsAnswer"];
                };
            };
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    verifyPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FacilitatorRequest"];
            };
        };
        responses: {
            /** @description The verdict. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyResponse"];
                };
            };
            401: components["responses"]["NoKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["BudgetExceededOrTooManyRequests"];
            "5XX": components["responses"]["Fault"];
        };
    };
    settlePayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FacilitatorRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettleResponse"];
                };
            };
            401: components["responses"]["NoKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["BudgetExceededOrTooManyRequests"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listX402Supported: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Networks, extensions and signers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Supported"];
                };
            };
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listX402Resources: {
        parameters: {
            query?: {
                /** @description Only resources of this type: http, mcp or a2a. */
                type?: components["parameters"]["type"];
                /** @description Only resources that pay this address. */
                payTo?: components["parameters"]["payTo"];
                /** @description Only resources with this scheme. */
                scheme?: components["parameters"]["scheme"];
                /** @description Only resources on this chain. */
                network?: components["parameters"]["network"];
                /** @description Only resources with this extension. */
                extensions?: components["parameters"]["extensions"];
                /** @description The maximum number of results. */
                limit?: number;
                /** @description The number of results to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The version of the protocol. */
                        x402Version: number;
                        /** @description The newest first. */
                        items: components["schemas"]["X402Resource"][];
                        /** @description The position of the page. */
                        pagination: {
                            /** @description The maximum number of results. */
                            limit: number;
                            /** @description The number of skipped results. */
                            offset: number;
                            /** @description The number of results, at most 10,000. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Internal"];
        };
    };
    searchX402Resources: {
        parameters: {
            query: {
                /** @description Only resources of this type: http, mcp or a2a. */
                type?: components["parameters"]["type"];
                /** @description Only resources that pay this address. */
                payTo?: components["parameters"]["payTo"];
                /** @description Only resources with this scheme. */
                scheme?: components["parameters"]["scheme"];
                /** @description Only resources on this chain. */
                network?: components["parameters"]["network"];
                /** @description Only resources with this extension. */
                extensions?: components["parameters"]["extensions"];
                /** @description The maximum number of results. */
                limit?: number;
                /** @description Words or prefixes of words. */
                query: string;
                /** @description The cursor of the last response. */
                cursor?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The version of the protocol. */
                        x402Version: number;
                        /** @description The newest first. */
                        resources: components["schemas"]["X402Resource"][];
                        /** @description True if not all matches were searched. */
                        partialResults: boolean;
                        /** @description The cursor of the next page. */
                        pagination: {
                            /** @description The maximum number of results. */
                            limit: number;
                            /** @description The cursor; null on the last page. */
                            cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Internal"];
        };
    };
    getX402PaymentStatus: {
        parameters: {
            query: {
                /** @description The nonce of the signed authorization, 32 bytes. */
                nonce: string;
                /** @description Only payments by this address. */
                payer?: components["parameters"]["payer"];
                /** @description Only payments on this chain, by CAIP-2 identifier or networkId. */
                network?: string;
                /** @description Only payments for this endpoint. */
                endpointId?: components["parameters"]["endpointId"];
                /** @description Only payments of this amount, in the token's major unit. */
                amount?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status, also of an unknown nonce. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["X402PaymentStatusAnswer"];
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listX402Payments: {
        parameters: {
            query?: {
                /** @description The maximum number of elements per page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1; the first by default. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description The number of elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty for the first page. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty for the last page. */
                before?: components["parameters"]["before"];
                /** @description Only payments with this status. */
                status?: "pending" | "settled" | "failed";
                /** @description Only payments for this endpoint. */
                endpointId?: components["parameters"]["endpointId"];
                /** @description Only payments by this address. */
                payer?: components["parameters"]["payer"];
                /** @description The nonce of the signed authorization, 32 bytes. */
                nonce?: string;
                /** @description Only payments on this chain, by CAIP-2 identifier or networkId. */
                network?: string;
                /** @description Only payments claimed at this time or later. */
                createdFrom?: string;
                /** @description Only payments claimed at this time or earlier. */
                createdTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["X402Payment"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getX402Payment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["paymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["X402PaymentAnswer"];
                };
            };
            400: components["responses"]["InvalidPaymentId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["PaymentNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listX402Refunds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["paymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refunds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeListAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["Refund"][];
                    };
                };
            };
            400: components["responses"]["InvalidPaymentId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["PaymentNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createX402Refund: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, repeating the same JSON with this key returns the same response. An externalRef takes precedence. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: components["parameters"]["paymentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The amount to refund, in the token's major unit. */
                    amount: components["schemas"]["AmountNumber"] | components["schemas"]["AmountText"];
                    /** @description The recipient; the payer if omitted. Other addresses only if the operator allows it. */
                    address?: string | null;
                    /** @description 1 to 255 characters, once per payment: a repeated request creates no second refund. */
                    idempotencyKey: string;
                };
            };
        };
        responses: {
            /** @description The existing refund of this idempotencyKey. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAnswer"];
                };
            };
            /** @description The new refund. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAnswer"];
                };
            };
            /** @description See `code`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidPaymentIdError"] | components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["InvalidRecipientError"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description refund address not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAddressNotAllowedError"];
                };
            };
            404: components["responses"]["PaymentNotFound"];
            409: components["responses"]["NoRefund"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listX402Channels: {
        parameters: {
            query?: {
                /** @description The maximum number of elements per page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1; the first by default. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description The number of elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty for the first page. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty for the last page. */
                before?: components["parameters"]["before"];
                /** @description Only channels on this chain. */
                network?: string;
                /** @description Only channels that pay this address. */
                payTo?: string;
                /** @description Only channels whose payer is withdrawing, or only others. */
                withdrawing?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["X402Channel"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getX402Channel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["X402ChannelAnswer"];
                };
            };
            401: components["responses"]["NoKey"];
            404: components["responses"]["ChannelNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getChannelVoucher: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The voucher. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelVoucherAnswer"];
                };
            };
            401: components["responses"]["NoKey"];
            404: components["responses"]["ChannelNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    storeChannelVoucher: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The chain (CAIP-2). */
                    network: string;
                    channelConfig: components["schemas"]["ChannelConfig"];
                    /** @description The amount that the payer has signed, in base units. */
                    maxClaimableAmount?: string | null;
                    /** @description The payer's signature. */
                    signature?: string | null;
                    /** @description The charged part of it. */
                    chargedCumulativeAmount?: string | null;
                    /** @description By `receiverAuthorizer`, for a claim of that amount only, sent when the payer withdraws. */
                    claimAuthorizerSignature?: string | null;
                    /** @description Your own text, at most 8192 bytes. */
                    record?: string | null;
                    /** @description The version that was read; 0 for none. */
                    version?: number | null;
                };
            };
        };
        responses: {
            /** @description The stored voucher. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelVoucherAnswer"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["ChannelNotFound"];
            /** @description voucher conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoucherConflictError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    registerOwnAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                address: components["parameters"]["address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description EIP-712, `OwnAddress(address payTo,string merchantId)`; domain `name` "Remit", `version` "1". */
                    signature: string;
                    /** @description The chain of a contract wallet (ERC-1271); none for a key. */
                    network?: string | null;
                };
            };
        };
        responses: {
            /** @description The registered address. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAddressAnswer"];
                };
            };
            /** @description See `code`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidRecipientError"] | components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["UnknownChainError"];
                };
            };
            401: components["responses"]["NoKey"];
            403: components["responses"]["ApprovalRequired"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    removeOwnAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                address: components["parameters"]["address"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your addresses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The oldest first. */
                        data: components["schemas"]["OwnAddress"][];
                    };
                };
            };
            /** @description invalid recipient address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidRecipientError"];
                };
            };
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listOwnAddresses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your addresses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The oldest first. */
                        data: components["schemas"]["OwnAddress"][];
                    };
                };
            };
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listX402Endpoints: {
        parameters: {
            query?: {
                /** @description The maximum number of elements per page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1; the first by default. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description The number of elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty for the first page. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty for the last page. */
                before?: components["parameters"]["before"];
                /** @description Only endpoints that are active, or only others. */
                active?: boolean;
                /** @description Only endpoints on this chain, by CAIP-2 identifier or networkId. */
                network?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["X402Endpoint"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createX402Endpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "endpointUrl": "https://api.example.com/v1/report",
                 *       "description": "The daily report, one cent",
                 *       "asset": "USDC",
                 *       "network": "eip155:84532",
                 *       "amountUsd": "0.01",
                 *       "ownTransaction": false,
                 *       "acceptsWallets": true
                 *     }
                 */
                "application/json": {
                    /** @description The URL of the protected route (http, https, mcp, a2a). The case of scheme and host, the default port, a final slash, query and fragment are ignored; `:name`, `[name]` and `*` in the path match as in stock middleware. At most 2048 characters. */
                    endpointUrl: string;
                    /** @description What the payer gets, at most 1000 characters. */
                    description?: string | null;
                    /** @description The symbol of the token: `USDC` or `EURC`. */
                    asset: string;
                    /** @description The chain, as a CAIP-2 identifier or a networkId. */
                    network: string;
                    /** @description In US dollars, with at most six decimals, and not below the minimum. */
                    amountUsd?: components["schemas"]["AmountNumber"] | components["schemas"]["AmountText"] | null;
                    /** @description In base units, instead of amountUsd. */
                    amount?: string | null;
                    /** @description True for a separate transaction per payment, which costs more gas. */
                    ownTransaction?: boolean | null;
                    /** @description False refuses contract wallets and delegated accounts. */
                    acceptsWallets?: boolean | null;
                    /** @description True to list it at /v1/x402/discovery. */
                    discoverable?: boolean | null;
                    /** @description Metadata for discovery, at most 8,192 characters. */
                    discovery?: components["schemas"]["X402Discovery"] | null;
                };
            };
        };
        responses: {
            /** @description The existing endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredX402Endpoint"];
                };
            };
            /** @description The new endpoint. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredX402Endpoint"];
                };
            };
            400: components["responses"]["BadChain"];
            401: components["responses"]["NoKey"];
            409: components["responses"]["EndpointConflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    findX402Requirements: {
        parameters: {
            query: {
                /** @description The full URL of the protected endpoint, URL-encoded. */
                url: string;
                /** @description The tool, if the URL is an MCP server with several tools. */
                toolName?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment requirements. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRequiredAnswer"];
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getX402Endpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["x402EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["X402EndpointAnswer"];
                };
            };
            400: components["responses"]["InvalidEndpointId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    deactivateX402Endpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["x402EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deactivated endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["X402EndpointAnswer"];
                };
            };
            400: components["responses"]["InvalidEndpointId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    changeX402Endpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["x402EndpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "The daily report, one cent",
                 *       "amountUsd": "0.01",
                 *       "active": true,
                 *       "ownTransaction": false,
                 *       "acceptsWallets": true
                 *     }
                 */
                "application/json": {
                    /** @description What the payer gets, at most 1000 characters. */
                    description?: string | null;
                    /** @description In US dollars, with at most six decimals, and not below the minimum. */
                    amountUsd?: components["schemas"]["AmountNumber"] | components["schemas"]["AmountText"] | null;
                    /** @description In base units, instead of amountUsd. */
                    amount?: string | null;
                    /** @description False deactivates the endpoint, true activates it. */
                    active?: boolean | null;
                    /** @description True for a separate transaction per payment, which costs more gas. */
                    ownTransaction?: boolean | null;
                    /** @description False refuses contract wallets and delegated accounts. */
                    acceptsWallets?: boolean | null;
                    /** @description True to list it at /v1/x402/discovery. */
                    discoverable?: boolean | null;
                    /** @description Metadata for discovery, at most 8,192 characters. */
                    discovery?: components["schemas"]["X402Discovery"] | null;
                };
            };
        };
        responses: {
            /** @description The changed endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["X402EndpointAnswer"];
                };
            };
            400: components["responses"]["BadEndpoint"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            409: components["responses"]["EndpointConflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getX402Requirements: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["x402EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment requirements. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRequiredAnswer"];
                };
            };
            400: components["responses"]["InvalidEndpointId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description The maximum number of elements per page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1; the first by default. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description The number of elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty for the first page. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty for the last page. */
                before?: components["parameters"]["before"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["WebhookEndpoint"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description https, in the sandbox also http, on the public internet, without credentials or fragment. */
                    url: string;
                    /** @description A description, at most 1000 characters. */
                    description?: string | null;
                    /** @description The event types to send; null for all. */
                    eventTypes?: components["schemas"]["EventType"][] | null;
                };
            };
        };
        responses: {
            /** @description The new endpoint. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecretAnswer"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["NoKey"];
            /** @description too many endpoints */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyEndpointsError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["webhookEndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointAnswer"];
                };
            };
            400: components["responses"]["InvalidEndpointId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["webhookEndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The deleted endpoint. */
                        data: {
                            /**
                             * Format: uuid
                             * @description The id of the endpoint.
                             */
                            id: string;
                            /**
                             * @description Always true.
                             * @constant
                             */
                            deleted: true;
                        };
                    };
                };
            };
            400: components["responses"]["InvalidEndpointId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    changeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["webhookEndpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description https, in the sandbox also http, on the public internet, without credentials or fragment. */
                    url?: string | null;
                    /** @description A description, at most 1000 characters. */
                    description?: string | null;
                    /** @description The event types to send; null for all. */
                    eventTypes?: components["schemas"]["EventType"][] | null;
                    /** @description False deactivates the endpoint, true activates it. */
                    active?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The changed endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointAnswer"];
                };
            };
            400: components["responses"]["BadEndpoint"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["webhookEndpointId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description False if the old secret has leaked. */
                    overlap?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The endpoint and its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecretAnswer"];
                };
            };
            400: components["responses"]["BadEndpoint"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["webhookEndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event is being sent. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The created event. */
                        data: {
                            /**
                             * Format: uuid
                             * @description Identifies the event.
                             */
                            eventId: string;
                            /**
                             * Format: uuid
                             * @description The endpoint.
                             */
                            endpointId: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadEndpoint"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            409: components["responses"]["EndpointDisabled"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    replayWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["webhookEndpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Events at this time or later. */
                    since: components["schemas"]["Time"];
                };
            };
        };
        responses: {
            /** @description The webhooks are being sent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The counts. */
                        data: {
                            /** @description The number of events. */
                            replayed: number;
                            /** @description True if there are more: call again. */
                            hasMore: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["BadEndpoint"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            409: components["responses"]["EndpointDisabled"];
            413: components["responses"]["TooLarge"];
            /** @description See `code`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayLimitReachedError"] | components["schemas"]["TooManyRequestsError"];
                };
            };
            "5XX": components["responses"]["Fault"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The maximum number of elements per page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1; the first by default. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description The number of elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty for the first page. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty for the last page. */
                before?: components["parameters"]["before"];
                /** @description Only deliveries to this endpoint. */
                endpointId?: string;
                /** @description Only deliveries of this event. */
                eventId?: string;
                /** @description Only deliveries in this state. */
                state?: "pending" | "succeeded" | "failed";
                /** @description Only deliveries of events of this type. */
                type?: components["schemas"]["EventType"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["Delivery"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryWithAttemptsAnswer"];
                };
            };
            /** @description invalid delivery id */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidDeliveryIdError"];
                };
            };
            401: components["responses"]["NoKey"];
            404: components["responses"]["DeliveryNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAnswer"];
                };
            };
            /** @description See `code`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidDeliveryIdError"] | components["schemas"]["InvalidRequestBodyError"];
                };
            };
            401: components["responses"]["NoKey"];
            404: components["responses"]["DeliveryNotFound"];
            409: components["responses"]["EndpointDisabled"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The maximum number of elements per page. */
                limit?: components["parameters"]["limit"];
                /** @description The cursor: the id of the last event that was read. */
                after?: string;
                /** @description Without `after`: whether to begin with the oldest event, the default, or to return the newest, backwards. */
                first?: "oldest" | "newest";
                /** @description Only events of this type. */
                type?: components["schemas"]["EventType"];
                /** @description Only events about this object, e.g. an invoice. */
                objectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The events, in order. */
                        data: components["schemas"]["Event"][];
                        /** @description The metadata of the list. */
                        metadata: {
                            pagination: components["schemas"]["CursorPagination"];
                        };
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventAnswer"];
                };
            };
            /** @description invalid event id */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidEventIdError"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description event not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventNotFoundError"];
                };
            };
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recipient. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The recipient. */
                        data: {
                            /** @description The active address; null if there is none. */
                            recipient: components["schemas"]["Address"] | null;
                            /** @description The delay of a change, in seconds. */
                            delaySeconds: number;
                            /** @description The newest changes, the newest first. */
                            changes: components["schemas"]["RecipientChange"][];
                        };
                    };
                };
            };
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    changeRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An account of yours, with its EIP-55 checksum. */
                    address: string;
                };
            };
        };
        responses: {
            /** @description The change. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientChangeAnswer"];
                };
            };
            /** @description See `code`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["InvalidRecipientError"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description See `code`. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnerMissingError"] | components["schemas"]["RecipientChangeOpenError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    cancelRecipientChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancelled change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientChangeAnswer"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description recipient change not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientChangeNotFoundError"];
                };
            };
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    reportTransactions: {
        parameters: {
            query?: {
                /** @description Only entries at or after this time, with a time zone. */
                from?: components["parameters"]["from"];
                /** @description Only entries before this time, with a time zone. */
                to?: components["parameters"]["to"];
                /** @description Whether to begin with a byte order mark, which Excel needs. */
                bom?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["ReportInProgressOrTooManyRequests"];
            "5XX": components["responses"]["Fault"];
        };
    };
    reportDays: {
        parameters: {
            query?: {
                /** @description Only entries at or after this time, with a time zone. */
                from?: components["parameters"]["from"];
                /** @description Only entries before this time, with a time zone. */
                to?: components["parameters"]["to"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description In order. */
                        data: components["schemas"]["ReportDay"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["ReportInProgressOrTooManyRequests"];
            "5XX": components["responses"]["Fault"];
        };
    };
    queryFigures: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One query, of at most 10,000 characters. */
                    query: string;
                    /** @description The values of its variables. */
                    variables?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Its name; has no effect. */
                    operationName?: string | null;
                };
            };
        };
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description By the names of its fields. */
                        data: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description See `code`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["InvalidGraphqlQueryError"];
                };
            };
            401: components["responses"]["NoKey"];
            413: components["responses"]["TooLarge"];
            /** @description See `code`. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportInProgressError"] | components["schemas"]["BudgetExceededError"] | components["schemas"]["TooManyRequestsError"];
                };
            };
            "5XX": components["responses"]["Fault"];
        };
    };
    sandboxFaucet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The address that receives the tokens. */
                    address: string;
                    /** @description A development chain, by networkId or CAIP-2 identifier. */
                    networkId: string;
                    /** @description The ticker of the token. */
                    tokenSymbol: string;
                    /** @description The amount in the token's major unit. */
                    amount: components["schemas"]["AmountNumber"] | components["schemas"]["AmountText"];
                };
            };
        };
        responses: {
            /** @description The tokens were minted. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The transaction. */
                        data: {
                            /** @description The address that receives the tokens. */
                            address: string;
                            /** @description A development chain, by networkId or CAIP-2 identifier. */
                            networkId: string;
                            /** @description The ticker of the token. */
                            tokenSymbol: string;
                            /** @description The amount in the token's major unit. */
                            amount: string;
                            /** @description The transaction. */
                            txHash: components["schemas"]["TransactionHash"];
                        };
                    };
                };
            };
            400: components["responses"]["BadInvoice"];
            401: components["responses"]["NoKey"];
            /** @description chain not local */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainNotLocalError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    sandboxScenario: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The invoice to run it on.
                     */
                    invoiceId: string;
                    /**
                     * @description `exact`: Pays exactly the amount due. `partial`: Pays half of it. `over`: Pays a tenth more. `signature`: Pays by a signature, without gas. `x402`: Pays as an x402 client. `late`: Voids the invoice, and pays. `wrong-token`: Pays in another token. `wrong-chain`: Pays on a chain that is not offered. `two-chains`: Pays one half on each of two chains. `reorganisation`: Pays, takes the block away, and pays again. `failed-settlement`: Blocks the recipient, and pays. `unblock-recipient`: Unblocks the recipient.
                     * @enum {string}
                     */
                    scenario: "exact" | "partial" | "over" | "signature" | "x402" | "late" | "wrong-token" | "wrong-chain" | "two-chains" | "reorganisation" | "failed-settlement" | "unblock-recipient";
                };
            };
        };
        responses: {
            /** @description The scenario was run. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The result. */
                        data: {
                            /**
                             * Format: uuid
                             * @description The invoice to run it on.
                             */
                            invoiceId: string;
                            /**
                             * @description The scenario.
                             * @enum {string}
                             */
                            scenario: "exact" | "partial" | "over" | "signature" | "x402" | "late" | "wrong-token" | "wrong-chain" | "two-chains" | "reorganisation" | "failed-settlement" | "unblock-recipient";
                            /** @description The payments that were made and not reverted. */
                            transactions: {
                                /** @description The chain. */
                                networkId: string;
                                /** @description The transaction. */
                                txHash: components["schemas"]["TransactionHash"];
                            }[];
                        };
                    };
                };
            };
            /** @description See `code`. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["InvalidInvoiceIdError"];
                };
            };
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            /** @description scenario not possible */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioNotPossibleError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listChains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The chains. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chain"][];
                };
            };
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Internal"];
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"][];
                };
            };
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Internal"];
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Alive. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthAnswer"];
                };
            };
            "5XX": components["responses"]["Internal"];
        };
    };
    ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ready. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadinessAnswer"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description service unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotReadyError"];
                };
            };
            "5XX": components["responses"]["Internal"];
        };
    };
}
