// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ECDSA} from "solady/utils/ECDSA.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {SignatureCheckerLib} from "solady/utils/SignatureCheckerLib.sol";
import {IDepositCollector} from "./IDepositCollector.sol";

/// @title TestChannels
/// @notice A stand-in on local chains for the contract of x402's scheme `batch-settlement`, which public
///         chains have at the address where this is placed: the same calls, events, errors and typed
///         data, in our own words. Channels hold one payer's money for one receiver. Vouchers are
///         cumulative, so that an old one claims nothing.
/// @dev    Written from the published interface. It keeps no lock against reentrancy: the test tokens
///         make no calls.
contract TestChannels {
    using SafeTransferLib for address;

    struct ChannelConfig {
        address payer;
        address payerAuthorizer;
        address receiver;
        address receiverAuthorizer;
        address token;
        uint40 withdrawDelay;
        bytes32 salt;
    }

    struct ChannelState {
        uint128 balance;
        uint128 totalClaimed;
    }

    struct WithdrawalState {
        uint128 amount;
        uint40 initiatedAt;
    }

    struct ReceiverState {
        uint128 totalClaimed;
        uint128 totalSettled;
    }

    struct Voucher {
        ChannelConfig channel;
        uint128 maxClaimableAmount;
    }

    struct VoucherClaim {
        Voucher voucher;
        bytes signature;
        uint128 totalClaimed;
    }

    uint40 public constant MIN_WITHDRAW_DELAY = 15 minutes;
    uint40 public constant MAX_WITHDRAW_DELAY = 30 days;

    bytes32 private constant DOMAIN = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant CONFIG = keccak256(
        "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)"
    );
    bytes32 private constant VOUCHER =
        keccak256("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");
    bytes32 private constant REFUND =
        keccak256("Refund(bytes32 channelId,uint256 nonce,uint128 amount)");
    bytes32 private constant CLAIM_ENTRY = keccak256(
        "ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"
    );
    bytes32 private constant CLAIM_BATCH = keccak256(
        "ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"
    );

    mapping(bytes32 channelId => ChannelState) public channels;
    mapping(bytes32 channelId => uint256) public refundNonce;
    mapping(bytes32 channelId => WithdrawalState) public pendingWithdrawals;
    mapping(address receiver => mapping(address token => ReceiverState)) public receivers;

    event ChannelCreated(bytes32 indexed channelId, ChannelConfig config);
    event ChannelClosed(bytes32 indexed channelId, ChannelConfig config);
    event Deposited(
        bytes32 indexed channelId, address indexed sender, uint128 amount, uint128 newBalance
    );
    event Claimed(
        bytes32 indexed channelId,
        address indexed sender,
        uint128 claimAmount,
        uint128 newTotalClaimed
    );
    event Settled(
        address indexed receiver, address indexed token, address indexed sender, uint128 amount
    );
    event Refunded(bytes32 indexed channelId, address indexed sender, uint128 amount);
    event WithdrawInitiated(bytes32 indexed channelId, uint128 amount, uint40 finalizeAfter);
    event WithdrawFinalized(bytes32 indexed channelId, address indexed sender, uint128 amount);

    error InvalidChannel();
    error ZeroDeposit();
    error InvalidSignature();
    error NotReceiverAuthorizer();
    error NotAuthorizedToClaim();
    error NotAuthorizedToRefund();
    error ClaimExceedsCeiling();
    error ClaimExceedsBalance();
    error WithdrawalAlreadyPending();
    error WithdrawalNotPending();
    error NotAuthorizedToFinalizeWithdraw();
    error WithdrawDelayNotElapsed();
    error NothingToWithdraw();
    error WithdrawAmountExceedsAvailable();
    error WithdrawDelayOutOfRange();
    error EmptyBatch();
    error DepositCollectionFailed();
    error InvalidCollector();
    error InvalidRefundNonce();
    error ZeroRefund();

    // ─── The payer's money is received ───────────────────────────────────────────────────────────

    function deposit(
        ChannelConfig calldata config,
        uint128 amount,
        address collector,
        bytes calldata collectorData
    ) external {
        if (
            config.payer == address(0) || config.receiver == address(0)
                || config.receiverAuthorizer == address(0) || config.token == address(0)
        ) revert InvalidChannel();
        if (config.withdrawDelay < MIN_WITHDRAW_DELAY || config.withdrawDelay > MAX_WITHDRAW_DELAY) {
            revert WithdrawDelayOutOfRange();
        }
        if (amount == 0) revert ZeroDeposit();
        if (collector == address(0)) revert InvalidCollector();

        bytes32 channelId = getChannelId(config);
        ChannelState storage channel = channels[channelId];
        bool isNew = channel.balance == 0 && channel.totalClaimed == 0;
        channel.balance += amount;

        uint256 before = config.token.balanceOf(address(this));
        IDepositCollector(collector).collect(
            config.payer, config.token, amount, channelId, collectorData
        );
        if (config.token.balanceOf(address(this)) != before + amount) {
            revert DepositCollectionFailed();
        }
        if (isNew) emit ChannelCreated(channelId, config);
        emit Deposited(channelId, msg.sender, amount, channel.balance);
    }

    // ─── The receiver's side takes what vouchers promise ─────────────────────────────────────────

    function claim(VoucherClaim[] calldata claims) external {
        if (claims.length == 0) revert EmptyBatch();
        for (uint256 i = 0; i < claims.length; ++i) {
            if (!_isReceiverSide(claims[i].voucher.channel)) revert NotAuthorizedToClaim();
            _claim(claims[i]);
        }
    }

    function claimWithSignature(VoucherClaim[] calldata claims, bytes calldata signature) external {
        if (claims.length == 0) revert EmptyBatch();
        address authorizer = claims[0].voucher.channel.receiverAuthorizer;
        if (
            !SignatureCheckerLib.isValidSignatureNowCalldata(
                authorizer, getClaimBatchDigest(claims), signature
            )
        ) revert InvalidSignature();
        for (uint256 i = 0; i < claims.length; ++i) {
            if (claims[i].voucher.channel.receiverAuthorizer != authorizer) {
                revert NotReceiverAuthorizer();
            }
            _claim(claims[i]);
        }
    }

    function settle(address receiver, address token) external {
        ReceiverState storage state = receivers[receiver][token];
        uint128 amount = state.totalClaimed - state.totalSettled;
        if (amount == 0) return;
        state.totalSettled = state.totalClaimed;
        token.safeTransfer(receiver, amount);
        emit Settled(receiver, token, msg.sender, amount);
    }

    // ─── What was not claimed goes back ──────────────────────────────────────────────────────────

    function refund(ChannelConfig calldata config, uint128 amount) external {
        if (!_isReceiverSide(config)) revert NotAuthorizedToRefund();
        _refund(config, amount);
    }

    function refundWithSignature(
        ChannelConfig calldata config,
        uint128 amount,
        uint256 nonce,
        bytes calldata signature
    ) external {
        bytes32 channelId = getChannelId(config);
        if (nonce != refundNonce[channelId]) revert InvalidRefundNonce();
        bytes32 digest = getRefundDigest(channelId, nonce, amount);
        if (
            !SignatureCheckerLib.isValidSignatureNowCalldata(
                config.receiverAuthorizer, digest, signature
            )
        ) revert InvalidSignature();
        _refund(config, amount);
    }

    function initiateWithdraw(ChannelConfig calldata config, uint128 amount) external {
        if (!_isPayerSide(config)) revert InvalidChannel();
        if (amount == 0) revert NothingToWithdraw();
        bytes32 channelId = getChannelId(config);
        WithdrawalState storage withdrawal = pendingWithdrawals[channelId];
        if (withdrawal.initiatedAt != 0) revert WithdrawalAlreadyPending();
        if (amount > _available(channels[channelId])) revert WithdrawAmountExceedsAvailable();
        withdrawal.amount = amount;
        withdrawal.initiatedAt = uint40(block.timestamp);
        emit WithdrawInitiated(
            channelId, amount, uint40(block.timestamp) + config.withdrawDelay
        );
    }

    function finalizeWithdraw(ChannelConfig calldata config) external {
        if (!_isPayerSide(config)) revert NotAuthorizedToFinalizeWithdraw();
        bytes32 channelId = getChannelId(config);
        WithdrawalState memory withdrawal = pendingWithdrawals[channelId];
        if (withdrawal.initiatedAt == 0) revert WithdrawalNotPending();
        if (block.timestamp < uint256(withdrawal.initiatedAt) + config.withdrawDelay) {
            revert WithdrawDelayNotElapsed();
        }
        ChannelState storage channel = channels[channelId];
        uint128 amount = _least(withdrawal.amount, _available(channel));
        delete pendingWithdrawals[channelId];
        channel.balance -= amount;
        emit WithdrawFinalized(channelId, msg.sender, amount);
        _closeIfEmpty(channelId, channel, config);
        if (amount > 0) config.token.safeTransfer(config.payer, amount);
    }

    /// @notice Several calls in one transaction: all of them are carried out, or none.
    function multicall(bytes[] calldata calls) external returns (bytes[] memory results) {
        results = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool isDone, bytes memory result) = address(this).delegatecall(calls[i]);
            if (!isDone) {
                assembly ("memory-safe") {
                    revert(add(result, 32), mload(result))
                }
            }
            results[i] = result;
        }
    }

    // ─── EIP-712 ─────────────────────────────────────────────────────────────────────────────────

    function getChannelId(ChannelConfig calldata config) public view returns (bytes32) {
        return _digest(keccak256(abi.encode(CONFIG, config)));
    }

    function getVoucherDigest(bytes32 channelId, uint128 maxClaimableAmount)
        public
        view
        returns (bytes32)
    {
        return _digest(keccak256(abi.encode(VOUCHER, channelId, maxClaimableAmount)));
    }

    function getRefundDigest(bytes32 channelId, uint256 nonce, uint128 amount)
        public
        view
        returns (bytes32)
    {
        return _digest(keccak256(abi.encode(REFUND, channelId, nonce, amount)));
    }

    function getClaimBatchDigest(VoucherClaim[] calldata claims) public view returns (bytes32) {
        bytes32[] memory entries = new bytes32[](claims.length);
        for (uint256 i = 0; i < claims.length; ++i) {
            Voucher calldata voucher = claims[i].voucher;
            bytes32 channelId = getChannelId(voucher.channel);
            entries[i] = keccak256(
                abi.encode(
                    CLAIM_ENTRY, channelId, voucher.maxClaimableAmount, claims[i].totalClaimed
                )
            );
        }
        return _digest(
            keccak256(abi.encode(CLAIM_BATCH, keccak256(abi.encodePacked(entries))))
        );
    }

    /// @dev Computed at each call, because the code is placed at its address and not created there.
    function _digest(bytes32 structHash) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                DOMAIN,
                keccak256("x402 Batch Settlement"),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, structHash));
    }

    // ─── Within ──────────────────────────────────────────────────────────────────────────────────

    function _claim(VoucherClaim calldata one) private {
        ChannelConfig calldata config = one.voucher.channel;
        bytes32 channelId = getChannelId(config);
        ChannelState storage channel = channels[channelId];
        if (one.totalClaimed <= channel.totalClaimed) return;
        if (one.totalClaimed > one.voucher.maxClaimableAmount) revert ClaimExceedsCeiling();
        if (one.totalClaimed > channel.balance) revert ClaimExceedsBalance();

        bytes32 digest = getVoucherDigest(channelId, one.voucher.maxClaimableAmount);
        bool isSigned = config.payerAuthorizer == address(0)
            ? SignatureCheckerLib.isValidSignatureNowCalldata(config.payer, digest, one.signature)
            : ECDSA.tryRecoverCalldata(digest, one.signature) == config.payerAuthorizer;
        if (!isSigned) revert InvalidSignature();

        uint128 amount = one.totalClaimed - channel.totalClaimed;
        channel.totalClaimed = one.totalClaimed;
        receivers[config.receiver][config.token].totalClaimed += amount;
        emit Claimed(channelId, msg.sender, amount, one.totalClaimed);
    }

    /// @dev The number is spent even where nothing is left to refund, and without an event.
    function _refund(ChannelConfig calldata config, uint128 wanted) private {
        if (wanted == 0) revert ZeroRefund();
        bytes32 channelId = getChannelId(config);
        refundNonce[channelId] += 1;
        ChannelState storage channel = channels[channelId];
        uint128 amount = _least(wanted, _available(channel));
        if (amount == 0) return;
        channel.balance -= amount;

        WithdrawalState storage withdrawal = pendingWithdrawals[channelId];
        if (withdrawal.initiatedAt != 0) {
            if (amount >= withdrawal.amount) delete pendingWithdrawals[channelId];
            else withdrawal.amount -= amount;
        }
        emit Refunded(channelId, msg.sender, amount);
        _closeIfEmpty(channelId, channel, config);
        config.token.safeTransfer(config.payer, amount);
    }

    function _closeIfEmpty(
        bytes32 channelId,
        ChannelState storage channel,
        ChannelConfig calldata config
    ) private {
        if (channel.balance == 0 && channel.totalClaimed == 0) {
            emit ChannelClosed(channelId, config);
        }
    }

    function _isReceiverSide(ChannelConfig calldata config) private view returns (bool) {
        return msg.sender == config.receiverAuthorizer || msg.sender == config.receiver;
    }

    function _isPayerSide(ChannelConfig calldata config) private view returns (bool) {
        return msg.sender == config.payer || msg.sender == config.payerAuthorizer;
    }

    function _available(ChannelState storage channel) private view returns (uint128) {
        return channel.balance - channel.totalClaimed;
    }

    function _least(uint128 a, uint128 b) private pure returns (uint128) {
        return a < b ? a : b;
    }
}
