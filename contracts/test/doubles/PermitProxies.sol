// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {
    IExactPermitProxy,
    IPermitProxy,
    IUptoPermitProxy
} from "../../src/interfaces/IPermitProxies.sol";
import {StandInPermit2} from "./Permit2.sol";

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

/// @notice What both stand-ins for the x402 proxies do: an optional EIP-2612 permit, whose failure is
///         swallowed, and the transfer by Permit2.
/// @dev    Of our own writing, after the interface and the errors of the real ones.
abstract contract StandInProxy is IPermitProxy {
    StandInPermit2 internal constant PERMIT2 =
        StandInPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

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
        StandInPermit2.TransferDetails memory details =
            StandInPermit2.TransferDetails(to, amount);
        PERMIT2.permitWitnessTransferFrom(
            permit, details, owner, witness, witnessType, signature
        );
    }
}

/// @notice Pays all that was permitted.
contract StandInExactProxy is StandInProxy, IExactPermitProxy {
    string private constant TYPE =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)";

    function settle(
        PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        _settle(permit, owner, witness, signature);
        emit Settled();
    }

    function settleWithPermit(
        EIP2612Permit calldata permit2612,
        PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        _permit(permit2612, permit, owner);
        _settle(permit, owner, witness, signature);
        emit SettledWithPermit();
    }

    function _settle(
        PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) private {
        bytes32 hash =
            keccak256(abi.encode(keccak256("Witness(address to,uint256 validAfter)"), witness));
        uint256 amount = permit.permitted.amount;
        _pay(permit, amount, owner, witness.to, witness.validAfter, hash, TYPE, signature);
    }
}

/// @notice Pays what the facilitator says, up to what was permitted.
contract StandInUptoProxy is StandInProxy, IUptoPermitProxy {
    string private constant TYPE =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,address facilitator,uint256 validAfter)";

    error UnauthorizedFacilitator();
    error AmountExceedsPermitted();

    function settle(
        PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        _check(permit, amount, witness);
        _settle(permit, amount, owner, witness, signature);
        emit Settled();
    }

    function settleWithPermit(
        EIP2612Permit calldata permit2612,
        PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        _check(permit, amount, witness);
        _permit(permit2612, permit, owner);
        _settle(permit, amount, owner, witness, signature);
        emit SettledWithPermit();
    }

    function _check(PermitTransferFrom calldata permit, uint256 amount, Witness calldata witness)
        private
        view
    {
        if (amount > permit.permitted.amount) revert AmountExceedsPermitted();
        if (msg.sender != witness.facilitator) revert UnauthorizedFacilitator();
    }

    function _settle(
        PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) private {
        bytes32 typeHash =
            keccak256("Witness(address to,address facilitator,uint256 validAfter)");
        bytes32 hash = keccak256(abi.encode(typeHash, witness));
        _pay(permit, amount, owner, witness.to, witness.validAfter, hash, TYPE, signature);
    }
}
