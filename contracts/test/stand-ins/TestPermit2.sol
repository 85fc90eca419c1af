// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {SignatureCheckerLib} from "solady/utils/SignatureCheckerLib.sol";
import {IPermitProxy} from "../../src/interfaces/IPermitProxies.sol";

/// @title TestPermit2
/// @notice A stand-in on local chains for Permit2, which public chains have at the address where this is
///         placed: as much of it as a transfer with a witness takes. That is its typed data, its
///         unordered nonces, its errors, and that it emits no event.
/// @dev    Of our own writing. It builds its domain from its address, so its code can be placed
///         anywhere.
contract TestPermit2 {
    struct TransferDetails {
        address to;
        uint256 requestedAmount;
    }

    mapping(address owner => mapping(uint256 word => uint256)) public nonceBitmap;

    event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask);

    error SignatureExpired(uint256 signatureDeadline);
    error InvalidAmount(uint256 maxAmount);
    error InvalidNonce();
    error InvalidSigner();

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
                keccak256("Permit2"),
                block.chainid,
                address(this)
            )
        );
    }

    function invalidateUnorderedNonces(uint256 word, uint256 mask) external {
        nonceBitmap[msg.sender][word] |= mask;
        emit UnorderedNonceInvalidation(msg.sender, word, mask);
    }

    function permitWitnessTransferFrom(
        IPermitProxy.PermitTransferFrom calldata permit,
        TransferDetails calldata details,
        address owner,
        bytes32 witness,
        string calldata witnessType,
        bytes calldata signature
    ) external {
        if (block.timestamp > permit.deadline) revert SignatureExpired(permit.deadline);
        if (details.requestedAmount > permit.permitted.amount) {
            revert InvalidAmount(permit.permitted.amount);
        }
        uint256 bit = 1 << (permit.nonce & 0xff);
        uint256 bits = nonceBitmap[owner][permit.nonce >> 8];
        if (bits & bit != 0) revert InvalidNonce();
        nonceBitmap[owner][permit.nonce >> 8] = bits | bit;
        bytes32 digest = _digest(permit, witness, witnessType);
        if (!SignatureCheckerLib.isValidSignatureNowCalldata(owner, digest, signature)) {
            revert InvalidSigner();
        }
        SafeTransferLib.safeTransferFrom(
            permit.permitted.token, owner, details.to, details.requestedAmount
        );
    }

    function _digest(
        IPermitProxy.PermitTransferFrom calldata permit,
        bytes32 witness,
        string calldata witnessType
    ) private view returns (bytes32) {
        bytes32 permissions = keccak256(
            abi.encode(keccak256("TokenPermissions(address token,uint256 amount)"), permit.permitted)
        );
        bytes32 typeHash = keccak256(
            abi.encodePacked(
                "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,",
                witnessType
            )
        );
        bytes32 message = keccak256(
            abi.encode(
                typeHash, permissions, msg.sender, permit.nonce, permit.deadline, witness
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), message));
    }
}
