// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {FiatTokenBase} from "./FiatTokenBase.sol";
import {FiatTokenSignatures} from "./FiatTokenSignatures.sol";

/// @title FiatTokenAuthorizations
/// @notice EIP-3009 and EIP-2612 as FiatToken v2.2 has them, each with (v, r, s) and with bytes.
abstract contract FiatTokenAuthorizations is FiatTokenBase {
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
    bytes32 public constant PERMIT_TYPEHASH = keccak256(
        "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant DOMAIN_TYPEHASH = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );

    /// @notice Whether an authorization was used or canceled.
    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;
    /// @notice The counter of EIP-2612 permits.
    mapping(address holder => uint256) public nonces;

    /// @dev The fields that both kinds of transfer sign.
    struct Terms {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparator();
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external whenNotPaused notBlacklisted(from) notBlacklisted(to) {
        _authorized(
            TRANSFER_WITH_AUTHORIZATION_TYPEHASH,
            Terms(from, to, value, validAfter, validBefore, nonce),
            abi.encodePacked(r, s, v)
        );
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external whenNotPaused notBlacklisted(from) notBlacklisted(to) {
        _authorized(
            TRANSFER_WITH_AUTHORIZATION_TYPEHASH,
            Terms(from, to, value, validAfter, validBefore, nonce),
            signature
        );
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external whenNotPaused notBlacklisted(from) notBlacklisted(to) {
        require(to == msg.sender, "FiatTokenV2: caller must be the payee");
        _authorized(
            RECEIVE_WITH_AUTHORIZATION_TYPEHASH,
            Terms(from, to, value, validAfter, validBefore, nonce),
            abi.encodePacked(r, s, v)
        );
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external whenNotPaused notBlacklisted(from) notBlacklisted(to) {
        require(to == msg.sender, "FiatTokenV2: caller must be the payee");
        _authorized(
            RECEIVE_WITH_AUTHORIZATION_TYPEHASH,
            Terms(from, to, value, validAfter, validBefore, nonce),
            signature
        );
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)
        external
        whenNotPaused
    {
        _cancel(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature)
        external
        whenNotPaused
    {
        _cancel(authorizer, nonce, signature);
    }

    function permit(
        address holder,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external whenNotPaused {
        _permit(holder, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    function permit(
        address holder,
        address spender,
        uint256 value,
        uint256 deadline,
        bytes memory signature
    ) external whenNotPaused {
        _permit(holder, spender, value, deadline, signature);
    }

    /// @dev Time, then the nonce, then the signature; AuthorizationUsed comes before Transfer.
    function _authorized(bytes32 typeHash, Terms memory terms, bytes memory signature) private {
        require(
            block.timestamp > terms.validAfter, "FiatTokenV2: authorization is not yet valid"
        );
        require(block.timestamp < terms.validBefore, "FiatTokenV2: authorization is expired");
        _requireUnused(terms.from, terms.nonce);
        _requireSigned(
            terms.from,
            keccak256(
                abi.encode(
                    typeHash,
                    terms.from,
                    terms.to,
                    terms.value,
                    terms.validAfter,
                    terms.validBefore,
                    terms.nonce
                )
            ),
            signature,
            "FiatTokenV2: invalid signature"
        );
        authorizationState[terms.from][terms.nonce] = true;
        emit AuthorizationUsed(terms.from, terms.nonce);
        _transfer(terms.from, terms.to, terms.value);
    }

    function _cancel(address authorizer, bytes32 nonce, bytes memory signature) private {
        _requireUnused(authorizer, nonce);
        _requireSigned(
            authorizer,
            keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)),
            signature,
            "FiatTokenV2: invalid signature"
        );
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function _permit(
        address holder,
        address spender,
        uint256 value,
        uint256 deadline,
        bytes memory signature
    ) private {
        require(
            deadline == type(uint256).max || deadline >= block.timestamp,
            "FiatTokenV2: permit is expired"
        );
        _requireSigned(
            holder,
            keccak256(
                abi.encode(PERMIT_TYPEHASH, holder, spender, value, nonces[holder]++, deadline)
            ),
            signature,
            "EIP2612: invalid signature"
        );
        _approve(holder, spender, value);
    }

    function _requireUnused(address authorizer, bytes32 nonce) private view {
        require(
            !authorizationState[authorizer][nonce],
            "FiatTokenV2: authorization is used or canceled"
        );
    }

    function _requireSigned(
        address signer,
        bytes32 structHash,
        bytes memory signature,
        string memory complaint
    ) private view {
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", _domainSeparator(), structHash));
        require(FiatTokenSignatures.isValid(signer, digest, signature), complaint);
    }

    /// @dev Computed on every call, as v2.2 does, from the name as it is stored.
    function _domainSeparator() private view returns (bytes32) {
        return keccak256(
            abi.encode(
                DOMAIN_TYPEHASH,
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                block.chainid,
                address(this)
            )
        );
    }
}
