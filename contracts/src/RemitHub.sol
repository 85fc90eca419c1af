// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Clones} from "./Clones.sol";
import {HubAccess} from "./HubAccess.sol";
import {Refunds} from "./Refunds.sol";
import {Settlement} from "./Settlement.sol";

/// @title RemitHub
/// @notice Factory of deposit addresses and forwarders, registry of merchants, and the only
///         contract that moves what the clones hold. It never holds money itself.
/// @dev    Deployed through the deterministic deployment proxy with the same bytes and arguments
///         on every chain; no argument depends on a chain or a token, hence one address everywhere.
///         HubAccess       who may do what
///         MerchantRegistry where each merchant's money goes
///         Clones          addresses and payments out of them
///         Deposits        sweeps of invoices
///         Forwarders      distributions of x402 payments
///         Settlement      batches of EIP-3009 authorizations
///         Refunds         signed refunds and rescues
contract RemitHub is Settlement, Refunds {
    /// @param owner_        Replaces operators, signers and the collector.
    /// @param configSigner_ Signs registry entries.
    /// @param refundSigner_ Signs refunds and rescues.
    /// @param feeCollector_ Receives fees.
    /// @param environment_  "sandbox" or "live".
    constructor(
        address owner_,
        address configSigner_,
        address refundSigner_,
        address feeCollector_,
        bytes32 environment_
    ) HubAccess(owner_, configSigner_, refundSigner_, feeCollector_) Clones(environment_) {}
}
