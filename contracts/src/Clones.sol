// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {LibClone} from "solady/utils/LibClone.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {Forwarder} from "./Forwarder.sol";
import {HubAccess} from "./HubAccess.sol";

/// @title Clones
/// @notice The addresses that receive money: deposits of invoices and forwarders of merchants.
/// @dev    Both are EIP-1167 clones at CREATE2 addresses (EIP-1014), known before they exist.
///         Chains that derive addresses otherwise (zkSync's rules) are not supported.
abstract contract Clones is HubAccess {
    /// @dev A payment out of a clone. Only its fee leg has a gas of its own.
    struct Payment {
        address clone;
        address token;
        address to;
        uint256 amount;
        uint256 fee;
        uint256 feeGas;
        uint256 reserve;
    }

    /// @notice The code behind every clone: the first contract that the hub creates, hence known
    ///         from the hub's address alone.
    address public immutable forwarderImplementation;
    /// @notice The environment that this hub serves; sandbox and live never share an address.
    bytes32 public immutable environment;

    bytes32 private immutable _cloneInitCodeHash;

    bytes32 private constant FORWARDER_TAG = keccak256("remit.forwarder.v1");

    constructor(bytes32 environment_) {
        environment = environment_;
        forwarderImplementation = address(new Forwarder());
        _cloneInitCodeHash = LibClone.initCodeHash(forwarderImplementation);
    }

    /// @notice The address of an invoice, deployed or not.
    /// @dev    It commits to all that must never change: whose it is, where it may pay, and the
    ///         most that may be charged. A stolen key can neither redirect it nor overcharge.
    function depositAddress(
        bytes16 merchantId,
        bytes16 invoiceId,
        address recipient,
        uint256 maxFee
    ) public view returns (address) {
        return _cloneAddress(_depositSalt(merchantId, invoiceId, recipient, maxFee));
    }

    /// @notice The address that a merchant's x402 payments go to, deployed or not.
    function forwarderAddress(bytes16 merchantId) public view returns (address) {
        return _cloneAddress(_forwarderSalt(merchantId));
    }

    function _depositSalt(bytes16 merchantId, bytes16 invoiceId, address recipient, uint256 maxFee)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(merchantId, invoiceId, recipient, maxFee));
    }

    function _forwarderSalt(bytes16 merchantId) internal pure returns (bytes32) {
        return keccak256(abi.encode(FORWARDER_TAG, merchantId));
    }

    function _cloneAddress(bytes32 salt) internal view returns (address) {
        return LibClone.predictDeterministicAddress(_cloneInitCodeHash, salt, address(this));
    }

    /// @dev The clone of a salt, created now. If it exists already, this reverts with
    ///      DeploymentFailed, after CREATE2 has burnt what gas it was given.
    function _createClone(bytes32 salt) internal returns (address clone) {
        clone = LibClone.cloneDeterministic(forwarderImplementation, salt);
    }

    /// @dev The clone of a salt, created if it does not exist yet.
    function _cloneAt(bytes32 salt) internal returns (address clone, bool deployed) {
        clone = _cloneAddress(salt);
        if (clone.code.length == 0) {
            _createClone(salt);
            deployed = true;
        }
    }

    /// @dev Whether there is a clone of this hub's implementation at an address.
    function _isClone(address account) internal view returns (bool) {
        bytes32 codeHash = keccak256(
            abi.encodePacked(
                hex"3d3d3d3d363d3d37363d73",
                forwarderImplementation,
                hex"5af43d3d93803e602a57fd5bf3"
            )
        );
        return account.codehash == codeHash;
    }

    /// @dev Pays out of a clone, the fee to the collector. The balance is read only when a leg has
    ///      failed, to tell a clone that holds less from a token that refuses.
    /// @return feePaid False if the clone holds the fee but the token would not move it.
    function _pay(Payment memory p) internal returns (bool feePaid) {
        address collector;
        if (p.fee != 0) {
            collector = feeCollector;
            _requireNonZero(collector);
        }
        try Forwarder(p.clone).pay(
            p.token, p.to, p.amount, collector, p.fee, p.feeGas, p.reserve
        ) returns (bool paid) {
            feePaid = paid;
        } catch (bytes memory reason) {
            uint256 held = SafeTransferLib.balanceOf(p.token, p.clone);
            if (held < p.amount) revert DepositHoldsLess(held, p.amount + p.fee);
            assembly ("memory-safe") {
                revert(add(reason, 0x20), mload(reason))
            }
        }
        if (!feePaid) {
            uint256 held = SafeTransferLib.balanceOf(p.token, p.clone);
            if (held < p.fee) revert DepositHoldsLess(held + p.amount, p.amount + p.fee);
        }
    }
}
