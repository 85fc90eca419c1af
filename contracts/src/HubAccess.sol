// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "./interfaces/IRemitHub.sol";

/// @title HubAccess
/// @notice Who may do what: the owner, the operators, the two signing keys and the collector.
abstract contract HubAccess is IRemitHub {
    /// @notice Replaces operators, signers and the collector; moves no money.
    address public owner;
    /// @notice Named by the owner, becomes the owner by accepting.
    address public pendingOwner;
    /// @notice Signs registry entries; never a relayer's key.
    address public configSigner;
    /// @notice Signs refunds and rescues; never a relayer's key.
    address public refundSigner;
    /// @notice The only receiver of fees.
    address public feeCollector;
    /// @notice The relayers that may sweep.
    mapping(address => bool) public isOperator;

    constructor(
        address owner_,
        address configSigner_,
        address refundSigner_,
        address feeCollector_
    ) {
        _requireNonZero(owner_);
        owner = owner_;
        emit OwnershipTransferred(address(0), owner_);
        _setConfigSigner(configSigner_);
        _setRefundSigner(refundSigner_);
        _setFeeCollector(feeCollector_);
    }

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender, owner);
        _;
    }

    modifier onlyOperator() {
        if (!isOperator[msg.sender]) revert NotOperator(msg.sender);
        _;
    }

    /// @dev The entry points that a batch calls on itself, one item at a time.
    modifier onlyHub() {
        if (msg.sender != address(this)) revert NotHub(msg.sender, address(this));
        _;
    }

    /// @notice Offers the ownership; zero withdraws the offer.
    function transferOwnership(address newOwner) external onlyOwner {
        pendingOwner = newOwner;
        emit OwnershipTransferStarted(owner, newOwner);
    }

    /// @notice Takes the ownership that was offered.
    function acceptOwnership() external {
        if (msg.sender != pendingOwner) revert NotPendingOwner(msg.sender, pendingOwner);
        emit OwnershipTransferred(owner, msg.sender);
        owner = msg.sender;
        pendingOwner = address(0);
    }

    /// @notice Lets a relayer sweep, or stops it.
    function setOperator(address operator, bool allowed) external onlyOwner {
        _requireNonZero(operator);
        isOperator[operator] = allowed;
        emit OperatorSet(operator, allowed);
    }

    function setConfigSigner(address signer) external onlyOwner {
        _setConfigSigner(signer);
    }

    function setRefundSigner(address signer) external onlyOwner {
        _setRefundSigner(signer);
    }

    function setFeeCollector(address collector) external onlyOwner {
        _setFeeCollector(collector);
    }

    function _setConfigSigner(address signer) private {
        _requireNonZero(signer);
        configSigner = signer;
        emit ConfigSignerSet(signer);
    }

    function _setRefundSigner(address signer) private {
        _requireNonZero(signer);
        refundSigner = signer;
        emit RefundSignerSet(signer);
    }

    function _setFeeCollector(address collector) private {
        _requireReceiver(collector);
        feeCollector = collector;
        emit FeeCollectorSet(collector);
    }

    function _requireNonZero(address account) internal pure {
        if (account == address(0)) revert ZeroAddress();
    }

    /// @dev A receiver of money is neither the zero address nor the hub, which never holds any.
    function _requireReceiver(address account) internal view {
        _requireNonZero(account);
        if (account == address(this)) revert HubAsReceiver(account);
    }
}
