// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IUptoPermitProxy} from "../../src/interfaces/IPermitProxies.sol";
import {TestPermitProxy} from "./TestPermitProxy.sol";

/// @title TestUptoProxy
/// @notice A stand-in on local chains for x402's proxy of `upto`: it pays what the facilitator names, up
///         to what was permitted.
contract TestUptoProxy is TestPermitProxy, IUptoPermitProxy {
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
