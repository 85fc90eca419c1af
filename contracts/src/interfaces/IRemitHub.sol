// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "./IHubErrors.sol";

/// @title IRemitHub
/// @notice The hub's arguments and events.
/// @dev    Amounts are base units of the token named beside them. A `bytes16` id is a UUID.
interface IRemitHub is IHubErrors {
    /// @notice A merchant's entry in the registry, as the configuration signer signs it.
    /// @param merchantId The merchant.
    /// @param treasury   Where the merchant's money goes.
    /// @param feeBps     The fee of a distribution, in hundredths of a percent.
    /// @param feeCap     The most that one distribution may charge, in millionths of a whole token,
    ///                   independent of the token's decimals; zero charges nothing.
    /// @param version    Grows with every change, so that an old signature cannot come back.
    struct MerchantConfig {
        bytes16 merchantId;
        address treasury;
        uint16 feeBps;
        uint40 feeCap;
        uint32 version;
    }

    /// @notice One payment out of a deposit address.
    /// @dev    All fields are static and the hub copies them as they lie: their number is SWEEP_SIZE.
    /// @param merchantId Part of the deposit's salt.
    /// @param invoiceId  Part of the deposit's salt.
    /// @param recipient  Part of the deposit's salt; zero means the registry's treasury.
    /// @param maxFee     Part of the deposit's salt: the most that may ever be charged.
    /// @param token      The token to move; it must be on the owner's list.
    /// @param amount     What leaves the deposit, fee included.
    /// @param fee        The collector's part of `amount`.
    /// @param leave      What must remain in the deposit afterwards: money that is not to be swept.
    /// @param version    The registry version that is expected when `recipient` is zero.
    /// @param deploys    Whether the deposit has no code yet. It is believed; if it is wrong, this
    ///                   item fails.
    struct Sweep {
        bytes16 merchantId;
        bytes16 invoiceId;
        address recipient;
        uint256 maxFee;
        address token;
        uint256 amount;
        uint256 fee;
        uint256 leave;
        uint32 version;
        bool deploys;
    }

    /// @notice The gas of each item of a batch of sweeps or distributions, chosen by the caller.
    /// @param item    What one item is given.
    /// @param fee     What its fee leg is given, and no more.
    /// @param reserve What must remain after a fee leg that burnt all it got, to record the debt.
    struct Gas {
        uint256 item;
        uint256 fee;
        uint256 reserve;
    }

    /// @notice An EIP-3009 authorization of a payer without code.
    /// @dev    The order of the fields is that of transferWithAuthorization(..., v, r, s), and the hub
    ///         copies them as they lie: their number is AUTHORIZATION_SIZE. `to` is the payee that
    ///         the payer signed, a forwarder or a merchant's own address; it is not checked.
    struct Authorization {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    /// @notice The same with a signature of any length, for contract wallets (ERC-1271).
    struct WalletAuthorization {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
        bytes signature;
    }

    /// @notice A payment by Permit2 through one of the x402 proxies.
    /// @param token      The token.
    /// @param from       The payer, who signed all of this except `amount`.
    /// @param to         The payee that the payer signed.
    /// @param permitted  The most that the payer allows.
    /// @param amount     What is to be paid; for `exact` all of `permitted`.
    /// @param nonce      Permit2's, unordered.
    /// @param deadline   The last second at which Permit2 accepts the signature.
    /// @param validAfter The first second at which the proxy accepts it.
    /// @param signature  The payer's, over Permit2's PermitWitnessTransferFrom.
    /// @param permit2612 Empty, or abi.encode of the proxy's EIP2612Permit struct.
    struct PermitPayment {
        address token;
        address from;
        address to;
        uint256 permitted;
        uint256 amount;
        uint256 nonce;
        uint256 deadline;
        uint256 validAfter;
        bytes signature;
        bytes permit2612;
    }

    /// @notice A merchant whose forwarder is to be emptied, and the registry version expected.
    struct Distribution {
        bytes16 merchantId;
        uint32 version;
    }

    /// @notice A payment that only the refund signer can allow, once.
    /// @param refundId Identifies it; each is paid once. Numbers in a row share storage.
    /// @param source   The clone that pays.
    /// @param token    The token, or the zero address for native coin.
    /// @param to       The receiver.
    /// @param amount   In base units of the token, or in wei.
    /// @param feeLeft  What may still be charged on the deposit if this refund deploys it; at most
    ///                 its maxFee, and zero for a rescue.
    /// @param deadline The last second, in chain time, at which it can be carried out.
    struct Refund {
        uint256 refundId;
        address source;
        address token;
        address to;
        uint256 amount;
        uint256 feeLeft;
        uint256 deadline;
    }

    /// @notice A refund out of a deposit address, with the terms that its salt commits to.
    struct DepositRefund {
        bytes16 merchantId;
        bytes16 invoiceId;
        address recipient;
        uint256 maxFee;
        Refund refund;
        bytes signature;
    }

    /// @notice A refund out of a merchant's forwarder: what was sent there by mistake.
    struct ForwarderRescue {
        bytes16 merchantId;
        Refund refund;
        bytes signature;
    }

    // Registry

    event MerchantConfigured(
        bytes16 indexed merchantId, address treasury, uint16 feeBps, uint40 feeCap, uint32 version
    );
    /// @notice Another treasury was signed. From `readyAt` on, submitting the same entry again
    ///         activates it; until then nothing is paid to this merchant by the registry.
    event MerchantChangePending(
        bytes16 indexed merchantId,
        address treasury,
        uint16 feeBps,
        uint40 feeCap,
        uint32 version,
        uint64 readyAt
    );
    event MerchantChangeVetoed(bytes16 indexed merchantId, uint32 version);
    event ConfigureFailed(bytes16 indexed merchantId, uint32 version, bytes reason);

    // Deposits and forwarders

    /// @notice The receiver is in the token's own Transfer event.
    /// @param fee What the collector really received.
    event Swept(address indexed deposit, address token, uint256 remitted, uint256 fee);
    /// @notice The token refused the fee leg: `amount` stays in the clone, still owed.
    event FeeOwed(address indexed deposit, address indexed token, uint256 amount);
    event SweepFailed(address indexed deposit, address indexed token, bytes reason);
    event ForwarderDeployed(bytes16 indexed merchantId, address forwarder);
    /// @param fee What the collector really received.
    event Distributed(
        bytes16 indexed merchantId,
        address indexed token,
        address treasury,
        uint256 remitted,
        uint256 fee
    );
    event DistributeFailed(bytes16 indexed merchantId, address indexed token, bytes reason);
    event DistributionAnnounced(bytes16 indexed merchantId, uint64 readyAt);

    // Payments

    /// @dev Success has no event of its own: the token's AuthorizationUsed and Transfer report it.
    event AuthorizationFailed(
        address indexed token, address indexed from, bytes32 indexed nonce, bytes reason
    );
    /// @dev Neither Permit2 nor its proxies report what was paid, so the hub does.
    event PermitSettled(
        address indexed from, uint256 indexed nonce, address token, address to, uint256 amount
    );
    event PermitFailed(address indexed from, uint256 indexed nonce, bytes reason);

    // Refunds and recovery

    event Refunded(
        uint256 indexed refundId,
        address indexed source,
        address indexed token,
        address to,
        uint256 amount
    );
    event RefundFailed(uint256 indexed refundId, bytes reason);
    event RefundApproved(bytes32 indexed digest);
    event Recovered(
        address indexed source, address indexed token, address to, uint256 amount
    );
    event RecoveredByCall(address indexed clone, address indexed target, bytes data);

    // Roles

    event Proposed(bytes32 indexed id, bytes call, uint64 readyAt);
    event ProposalVetoed(bytes32 indexed id);
    /// @notice All that were made before this round are over, but for replacements of the guardian.
    event ProposalsVetoed(uint64 round);
    event ProposalExecuted(bytes32 indexed id);
    event Stopped(uint8 what, address by);
    event Resumed(uint8 what);
    event OwnershipTransferStarted(address indexed owner, address indexed pendingOwner);
    event OwnershipTransferred(address indexed previousOwner, address indexed owner);
    event OperatorSet(address indexed operator, bool allowed);
    event ConfigSignerSet(address indexed configSigner);
    event RefundSignerSet(address indexed refundSigner);
    event GuardianSet(address indexed guardian);
    event FeeCollectorSet(address indexed feeCollector);
    event TokenSet(address indexed token, bool listed, uint8 decimals, uint232 refundLimit);
    event DelaysSet(uint32 ownerDelay, uint32 configDelay);
}
