// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPermitProxy} from "../../src/interfaces/IPermitProxies.sol";
import {TestPermit2} from "./TestPermit2.sol";

interface IPermitToken {
    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}

/// @title TestPermitProxy
/// @notice What both stand-ins for the x402 proxies do: an optional EIP-2612 permit, whose failure is
///         swallowed, and the transfer by Permit2.
/// @dev    Of our own writing, after the interface and the errors of the real ones.
abstract contract TestPermitProxy is IPermitProxy {
    TestPermit2 public constant PERMIT2 =
        TestPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

    error InvalidDestination();
    error PaymentTooEarly();
    error InvalidOwner();
    error InvalidAmount();
    error Permit2612AmountMismatch();

    event Settled();
    event SettledWithPermit();

    function _permit(
        EIP2612Permit calldata permit2612,
        PermitTransferFrom calldata permit,
        address owner
    ) internal {
        if (permit2612.value != permit.permitted.amount) revert Permit2612AmountMismatch();
        try IPermitToken(permit.permitted.token).permit(
            owner,
            address(PERMIT2),
            permit2612.value,
            permit2612.deadline,
            permit2612.v,
            permit2612.r,
            permit2612.s
        ) {} catch {}
    }

    function _pay(
        PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        address to,
        uint256 validAfter,
        bytes32 witness,
        string memory witnessType,
        bytes calldata signature
    ) internal {
        if (amount == 0) revert InvalidAmount();
        if (owner == address(0)) revert InvalidOwner();
        if (to == address(0)) revert InvalidDestination();
        if (block.timestamp < validAfter) revert PaymentTooEarly();
        TestPermit2.TransferDetails memory details =
            TestPermit2.TransferDetails(to, amount);
        PERMIT2.permitWitnessTransferFrom(
            permit, details, owner, witness, witnessType, signature
        );
    }
}
