// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title IRemitHub
/// @notice The hub's arguments, events and errors.
/// @dev    Amounts are base units of the token named beside them. A `bytes16` id is a UUID.
interface IRemitHub {
    /// @notice A merchant's entry in the registry, as the configuration key signs it.
    /// @param merchantId The merchant.
    /// @param treasury   Where the merchant's money goes.
    /// @param feeBps     The fee of a distribution, in hundredths of a percent.
    /// @param feeCap     The most that one distribution may charge; zero charges nothing.
    /// @param version    Grows with every change, so that an old signature cannot come back.
    struct MerchantConfig {
        bytes16 merchantId;
        address treasury;
        uint16 feeBps;
        uint48 feeCap;
        uint32 version;
    }

    /// @notice One payment out of a deposit address.
    /// @param merchantId Part of the deposit's salt.
    /// @param invoiceId  Part of the deposit's salt.
    /// @param recipient  Part of the deposit's salt; zero stands for the registry's treasury.
    /// @param maxFee     Part of the deposit's salt: the most that may ever be charged.
    /// @param token      The token to move.
    /// @param amount     What leaves the deposit, fee included.
    /// @param fee        The collector's part of `amount`.
    /// @param version    The registry version that is expected when `recipient` is zero.
    struct Sweep {
        bytes16 merchantId;
        bytes16 invoiceId;
        address recipient;
        uint256 maxFee;
        address token;
        uint256 amount;
        uint256 fee;
        uint32 version;
    }

    /// @notice An EIP-3009 authorization in favour of a merchant's forwarder.
    /// @dev    The order of the fields is that of transferWithAuthorization(..., v, r, s), with the
    ///         merchant in the payee's place: the hub relies on it.
    struct Authorization {
        address from;
        bytes16 merchantId;
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
        bytes16 merchantId;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
        bytes signature;
    }

    /// @notice A merchant whose forwarder is to be emptied, and the registry version expected.
    struct Distribution {
        bytes16 merchantId;
        uint32 version;
    }

    /// @notice A payment that only the refund key can allow, once.
    /// @param refundId Identifies it; each is paid once.
    /// @param source   The clone that pays.
    /// @param token    The token, or the zero address for native coin.
    /// @param to       The receiver.
    /// @param amount   In base units of the token, or in wei.
    /// @param deadline The last second, in chain time, at which it can be carried out.
    struct Refund {
        bytes32 refundId;
        address source;
        address token;
        address to;
        uint256 amount;
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

    event MerchantConfigured(
        bytes16 indexed merchantId, address treasury, uint16 feeBps, uint48 feeCap, uint32 version
    );
    event ConfigureFailed(bytes16 indexed merchantId, uint32 version, bytes reason);

    /// @param fee What the collector really received.
    event Swept(
        address indexed deposit,
        address indexed token,
        address recipient,
        uint256 remitted,
        uint256 fee
    );
    /// @notice The token refused the fee leg: `amount` stays in the clone, still owed.
    event FeeOwed(address indexed deposit, address indexed token, uint256 amount);
    event SweepFailed(address indexed deposit, address indexed token, bytes reason);

    event ForwarderDeployed(bytes16 indexed merchantId, address forwarder);
    /// @dev There is no event for success: the token's AuthorizationUsed and Transfer tell it.
    event AuthorizationFailed(
        address indexed token, address indexed from, bytes32 indexed nonce, bytes reason
    );
    /// @param fee What the collector really received.
    event Distributed(
        bytes16 indexed merchantId,
        address indexed token,
        address treasury,
        uint256 remitted,
        uint256 fee
    );
    event DistributeFailed(bytes16 indexed merchantId, address indexed token, bytes reason);

    event Refunded(
        bytes32 indexed refundId,
        address indexed source,
        address indexed token,
        address to,
        uint256 amount
    );
    event RefundFailed(bytes32 indexed refundId, bytes reason);

    event OwnershipTransferStarted(address indexed owner, address indexed pendingOwner);
    event OwnershipTransferred(address indexed previousOwner, address indexed owner);
    event OperatorSet(address indexed operator, bool allowed);
    event ConfigSignerSet(address indexed configSigner);
    event RefundSignerSet(address indexed refundSigner);
    event FeeCollectorSet(address indexed feeCollector);

    error NotOwner(address caller, address owner);
    error NotPendingOwner(address caller, address pendingOwner);
    error NotOperator(address caller);
    error NotHub(address caller, address hub);
    error ZeroAddress();
    /// @notice Money may not be sent to the hub, which has no way to give it back.
    error HubAsReceiver(address hub);

    error LengthMismatch(uint256 items, uint256 signatures);
    error ItemGasTooLow(uint256 available, uint256 needed);

    error WrongSigner(address recovered, address expected);
    error StaleVersion(uint32 given, uint32 current);
    /// @notice Anyone could then charge the fee on the same money again and again.
    error TreasuryIsForwarder(address treasury);
    error FeeRateAboveCap(uint16 feeBps, uint16 cap);
    error MerchantNotConfigured(bytes16 merchantId);
    error RegistryVersionMismatch(uint32 expected, uint32 current);

    error AmountIsZero();
    error FeeAboveCap(uint256 fee, uint256 cap);
    error FeeAboveAmount(uint256 fee, uint256 amount);
    error FeeNotAvailable(uint256 fee, uint256 left);
    error DepositHoldsLess(uint256 held, uint256 amount);

    error NotAToken(address token);
    error NothingToDistribute(uint256 held);

    error WrongSource(address given, address expected);
    error RefundExpired(uint256 deadline, uint256 time);
    error RefundSpent(bytes32 refundId);
}
